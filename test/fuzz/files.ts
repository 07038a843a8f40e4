import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import jsonPatch from 'fast-json-patch'
import { bundlePatch } from '../../certs/ca-bundle.ts'
import { servingPair } from '../../certs/pair.ts'
import { certificatesIn, union } from '../../certs/pem.ts'
import { loadKubeConfig } from '../../src/cluster/kube/wire/kube-config.ts'
import { spelled } from '../../src/commands/known.ts'
import { configFrom } from '../../src/commands/settings.ts'
import { settingsIn } from '../../src/commands/settings-file.ts'
import { flagOf, NAMES, UsageError } from '../../src/config.ts'
import { Fault } from '../../src/faults.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { AUTHORITY, aPair } from '../support/certificates.ts'
import { anyJson } from '../support/generated.ts'
import { pages, SECRET, yamlText } from './pages.ts'
import { damaged } from './recorded.ts'
import { must, type Opened, type Target, target } from './target.ts'

/** What operators and authors lay down for us to read. */
const PAIR = await aPair()
const OTHER = await aPair()

const pem = fc.oneof(
  fc.constantFrom(PAIR.cert, OTHER.cert, AUTHORITY.cert, PAIR.key, AUTHORITY.cert + PAIR.cert, ''),
  damaged(fc.constantFrom(PAIR.cert, PAIR.key, AUTHORITY.cert + PAIR.cert)),
  fc.string(),
)

/** Of openssl all that is wanted is that it says no. */
function unlessFault<T>(code: Fault['code'], act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof Fault && error.code === code) return undefined
    throw error
  }
}

const pairs = target({
  name: 'a pair that is served has a certificate, its key and a CA; any other is refused (CT-1)',
  share: 1,
  cases: fc.record({ cert: pem, key: pem, ca: pem }),
  holds(found) {
    const pair = unlessFault('CERTIFICATE', () => servingPair(found, 'certs', new Date()))
    if (pair === undefined) return
    must(pair.notAfter > new Date() && certificatesIn(pair.ca).length > 0, 'a pair that cannot be served')
  },
})

const bundles = target({
  name: 'a bundle keeps every certificate that it has, gets each missing one once, and then is whole (CT-5)',
  share: 1,
  cases: fc.tuple(pem, pem),
  holds([present, wanted]) {
    const whole = union(present, wanted)
    for (const each of [...certificatesIn(present), ...certificatesIn(wanted)])
      must((whole ?? present).replaceAll(/\s/g, '').includes(each.replaceAll(/\s/g, '')), 'a certificate is gone')
    if (whole !== undefined) must(union(whole, wanted) === undefined, 'not whole after all')
  },
})

const SERVICE = { namespace: 'tars-system', name: 'tars-webhook-service' }
const client = fc.oneof(
  fc.record(
    {
      service: fc.oneof(fc.constantFrom<unknown>(SERVICE, { ...SERVICE, name: 'other' }), anyJson),
      caBundle: fc.oneof(
        pem.map((text) => Buffer.from(text).toString('base64')),
        anyJson,
      ),
    },
    { requiredKeys: ['service'] },
  ),
  fc.record({ url: fc.oneof(fc.webUrl(), anyJson) }),
  anyJson,
)
const webhooks = fc.oneof(
  fc.array(fc.oneof(fc.record({ name: fc.constantFrom('a', 'b'), clientConfig: client }), anyJson), { maxLength: 4 }),
  anyJson,
)
const configurations = target({
  name: 'the patch of a webhook configuration applies, touches no webhook of others, and is not needed twice (CT-5)',
  share: 1,
  cases: webhooks,
  holds(given) {
    const list: unknown = JSON.parse(JSON.stringify(given))
    const configuration = { metadata: { name: 'x', resourceVersion: '7' }, webhooks: list }
    const before = JSON.stringify(configuration)
    const trusted = { ca: AUTHORITY.cert, now: new Date() }
    const operations = bundlePatch(configuration, { service: SERVICE }, trusted)
    must(JSON.stringify(configuration) === before, 'edited in place')
    if (operations === undefined) return
    const { newDocument } = jsonPatch.applyPatch(structuredClone(configuration), [...operations], true)
    must(bundlePatch(newDocument, { service: SERVICE }, trusted) === undefined, 'needed twice')
    must(isDeepStrictEqual(othersIn(newDocument.webhooks), othersIn(list)), 'a webhook of others')
  },
})
const isOurs = ({ clientConfig }: Tree) => isTree(clientConfig) && isDeepStrictEqual(clientConfig.service, SERVICE)
const othersIn = (list: unknown) => (Array.isArray(list) ? list.filter((each) => !isTree(each) || !isOurs(each)) : [])

const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: here
clusters: [{ name: here, cluster: { server: 'https://127.0.0.1:6443', insecure-skip-tls-verify: true } }]
users: [{ name: ann, user: { token: ${SECRET}, password: ${SECRET} } }]
contexts: [{ name: here, context: { cluster: here, user: ann } }]
`
const kubeconfigs = target({
  name: 'any text is a kubeconfig, or a fault that quotes nothing of it (CL-1)',
  share: 1,
  cases: fc.oneof(
    damaged(fc.constant(KUBECONFIG)),
    yamlText(),
    anyJson.map((value) => JSON.stringify(value) ?? ''),
  ),
  async open() {
    const opened = await inFile('kubeconfig', mustBeRead)
    await opened.holds(KUBECONFIG) // the library is loaded now, which takes longer than a case may
    return opened
  },
})

async function mustBeRead(text: string, file: string): Promise<void> {
  await writeFile(file, text)
  try {
    await loadKubeConfig(file)
  } catch (error) {
    must(error instanceof Fault && ['FILE_UNREADABLE', 'USAGE'].includes(error.code), String(error))
    must(!error.message.includes(SECRET) && error.cause === undefined, 'a fault that quotes')
  }
}

const SETTINGS = 'port: 9443\nlog-level: debug\nseed: [a, b]\nmanage-configurations: true\nkube-version: 1.30\n'
const settings = target({
  name: 'any file of settings is taken, or refused by a sentence that says which setting (CV-5)',
  share: 1,
  cases: fc.oneof(damaged(fc.constant(SETTINGS)), yamlText()),
  open: () =>
    inFile('settings.yaml', async (text, file) => {
      await writeFile(file, text)
      mustBeConfig(() => configFrom({ args: ['--config', file], env: {}, readFile: settingsIn, names: NAMES }))
    }),
})

const word = fc.oneof(
  fc.constantFrom('', '0', 'true', '9443', 'https://x', '1.30', '-', '--', '=', 'a,b', 'debug'),
  fc.string(),
)
const flags = fc.oneof(
  fc.constantFrom(...NAMES).map((name) => `--${flagOf(name)}`),
  fc.constantFrom('-f', '-o', '-o=json', '--no', '--'),
  word,
)
const usage = target({
  name: 'any words and variables are taken, or refused by a sentence; what is taken can be spelled and read again (CV-5)',
  share: 1,
  cases: fc.record({
    args: fc.array(
      fc.oneof(
        flags,
        fc.tuple(flags, word).map((each) => each.join('=')),
      ),
      { maxLength: 5 },
    ),
    env: fc.dictionary(
      fc.constantFrom('TARS_ADMISSION_PORT', 'TARS_ADMISSION_SEED', 'TARS_ADMISSION_X', 'TARS_ADMISSION___PROTO__'),
      word,
    ),
    content: fc.oneof(anyJson, fc.dictionary(fc.constantFrom('port', 'seed', 'enforce', '__proto__', 'x'), anyJson)),
  }),
  holds({ args, env, content }) {
    const config = mustBeConfig(() => configFrom({ args, env, names: NAMES, readFile: () => content }))
    if (config === undefined) return
    const again = configFrom({ args: ['--config', 'x'], env: {}, names: NAMES, readFile: () => spelled(config) })
    must(isDeepStrictEqual(spelled(again), spelled(config)), 'other settings')
  },
})

function mustBeConfig<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    must((error instanceof UsageError || error instanceof Fault) && error.message !== '', String(error))
    return undefined
  }
}

async function inFile(name: string, holds: (text: string, file: string) => Promise<void>): Promise<Opened<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'tars-admission-fuzz-'))
  return {
    holds: (text) => holds(text, join(folder, name)),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

export const fileTargets: readonly Target[] = [pairs, bundles, configurations, kubeconfigs, settings, usage, pages]
