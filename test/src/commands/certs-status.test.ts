import { X509Certificate } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issueAuthority, issueLeaf, LEAF_LIFE } from '../../../certs/authority.ts'
import type { KeyPair } from '../../../certs/pair.ts'
import { type ApiServer, type Call, scriptedApiServer } from '../../support/fakes/api-server.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { serving } from '../../support/serving.ts'
import { type Ran, ran } from '../../support/world.ts'

const DAY = 86_400_000
const SERVICE = 'tars-webhook-service.tars-system.svc'
const now = Date.now()
const inDays = (days: number) => new Date(now + days * DAY)

/** Of one CA, and of one that is of no concern. */
let ca: KeyPair
let leaf: KeyPair
let foreign: KeyPair
let oldLeaf: KeyPair
let oldCa: KeyPair
let newerCa: KeyPair
beforeAll(async () => {
  ca = await issueAuthority(inDays(-10))
  leaf = await issueLeaf(ca, [SERVICE, '127.0.0.1'], inDays(-1))
  foreign = await issueAuthority(inDays(-1), 'CN=other')
  oldLeaf = await issueLeaf(ca, [SERVICE], inDays(-29.5))
  oldCa = await issueAuthority(inDays(-1_200))
  newerCa = await issueAuthority(inDays(0))
})

let server: ApiServer
beforeEach(async () => {
  server = await scriptedApiServer()
})
afterEach(() => server.stop())

const base64 = (text: string) => Buffer.from(text).toString('base64')

interface Installed {
  /** Of the Secret. */
  readonly data?: Readonly<Record<string, string>>
  readonly bundle?: string
  /** Answered otherwise, by the end of their path. */
  readonly otherwise?: Readonly<Record<string, (call: Call) => void>>
}

/** What an operator has in place: all is well unless the case says otherwise. */
async function status(args: readonly string[] = [], installed: Installed = {}): Promise<Ran> {
  const { data = { 'ca.crt': ca.cert, 'ca.key': ca.key }, bundle = ca.cert, otherwise = {} } = installed
  server.always((call) => {
    const last = call.path.split('/').at(-1) ?? ''
    const own = otherwise[last]
    if (own !== undefined) return own(call)
    if (last === 'tars-webhook-certs') return call.json(200, secretOf(last, data))
    return call.json(200, configurationOf(last, bundle))
  })
  return ran(['certs', 'status', '--kubeconfig', server.kubeconfig(), ...args])
}

function secretOf(name: string, data: Readonly<Record<string, string>>) {
  const encoded = Object.entries(data).map(([key, text]) => [key, base64(text)])
  return { kind: 'Secret', metadata: { name, namespace: 'tars-system' }, data: Object.fromEntries(encoded) }
}

function configurationOf(name: string, bundle: string) {
  const isMutating = name === 'tars-admission-mutating'
  const service = { namespace: 'tars-system', name: 'tars-webhook-service', path: '/x' }
  const ours = {
    name: `${isMutating ? 'mutating' : 'validating'}.tars.io`,
    clientConfig: { service, caBundle: base64(bundle) },
  }
  const others = { name: 'others.example.com', clientConfig: { service: { namespace: 'x', name: 'y' } } }
  const kind = isMutating ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration'
  return { kind, metadata: { name }, webhooks: [others, ours] }
}

const forbidden = (call: Call) => call.status(403, 'Forbidden')
const gone = (call: Call) => call.status(404, 'NotFound')
const MINE = 'tars-webhook-certs'

describe('certs status, with nothing wrong (CT-6)', () => {
  it('prints source, subject, issuer, expiry and what the configurations trust', async () => {
    const { code, out } = await status()
    expect({ code, out }).toEqual({
      code: 0,
      out: `source: self
CA of Secret tars-system/tars-webhook-certs
  subject  CN=tars-admission CA
  issuer   CN=tars-admission CA
  expires  ${endOf(ca)} (1084 days left)
webhook mutating.tars.io (MutatingWebhookConfiguration tars-admission-mutating): trusts it; 1 certificate in its caBundle
webhook validating.tars.io (ValidatingWebhookConfiguration tars-admission-validating): trusts it; 1 certificate in its caBundle

all is well
`,
    })
  })

  it('tells by what the Secret holds that somebody else fills it, and for whom the pair is', async () => {
    const data = { 'tls.crt': leaf.cert, 'tls.key': leaf.key, 'ca.crt': ca.cert }
    const { code, out } = await status([], { data })
    expect(code).toBe(0)
    expect(out).toContain('source: secret\nserving certificate of Secret tars-system/tars-webhook-certs\n')
    expect(out).toContain(`  for      ${SERVICE}, 127.0.0.1\n`)
  })

  it('looks into the folder of --certs files, and not into the Secret', async () => {
    const folder = folderOf({ 'tls.crt': leaf.cert, 'tls.key': leaf.key, 'ca.crt': ca.cert })
    const { code, out } = await status(['--certs=files', '--cert-dir', folder], { otherwise: { [MINE]: forbidden } })
    expect(code).toBe(0)
    expect(out).toContain(`source: files\nserving certificate of ${folder}\n`)
  })

  it('asks a running webhook for what it really serves', async () => {
    await using webhook = await serving({ pair: leaf })
    const { code, out } = await status(['--server', webhook.origin])
    expect(code).toBe(0)
    expect(out).toContain(`serving certificate of ${webhook.origin}\n  subject  CN=tars-admission\n`)
  })

  it('counts what else a bundle holds, and names what has expired there, which is no harm', async () => {
    const { code, out } = await status([], { bundle: ca.cert + foreign.cert + oldCa.cert })
    expect(code).toBe(0)
    expect(out).toContain(`trusts it; 3 certificates in its caBundle, CN=tars-admission CA expired ${endOf(oldCa)}`)
  })

  it('says until when a replaced CA of ours is trusted (CT-4)', async () => {
    const replaced = await issueAuthority(inDays(-20))
    const until = new Date(new X509Certificate(ca.cert).validFromDate.getTime() + LEAF_LIFE).toISOString()
    const bundle = replaced.cert + ca.cert
    const { code, out } = await status([], { bundle })
    expect(code).toBe(0)
    expect(out).toContain(`trusts it; 2 certificates in its caBundle, a replaced CA of ours until ${until}\n`)
    const [{ caBundle }] = JSON.parse((await status(['-o', 'json'], { bundle })).out).webhooks
    expect(caBundle.map(({ replacedUntil }: { replacedUntil?: string }) => replacedUntil)).toEqual([until, undefined])
  })

  it('says the same in JSON', async () => {
    const { code, out } = await status(['-o', 'json'])
    expect({ code, shown: JSON.parse(out) }).toMatchObject({
      code: 0,
      shown: {
        source: 'self',
        certificates: [{ role: 'ca', subject: 'CN=tars-admission CA', notAfter: endOf(ca), daysLeft: 1084 }],
        webhooks: [
          { name: 'mutating.tars.io', host: SERVICE, trusts: 'yes', caBundle: [{ notAfter: endOf(ca) }] },
          { name: 'validating.tars.io', trusts: 'yes' },
        ],
        wrong: [],
        notKnown: [],
      },
    })
  })
})

describe('what is wrong ends with 1, and says what to do', () => {
  const pair = (cert: KeyPair, more: Readonly<Record<string, string>> = {}) => ({
    data: { 'tls.crt': cert.cert, 'tls.key': cert.key, 'ca.crt': ca.cert, ...more },
  })
  const CASES: readonly { name: string; installed: () => Installed; says: readonly string[] }[] = [
    {
      name: 'a webhook that trusts another CA alone',
      installed: () => ({ bundle: foreign.cert }),
      says: ['webhook mutating.tars.io (Mutating', 'does NOT trust it', 'manifests --set webhooks --ca FILE'],
    },
    {
      name: 'a CA of ours that was replaced and should have left (CT-4)',
      installed: () => ({ bundle: oldCa.cert + foreign.cert + ca.cert + newerCa.cert }),
      says: [
        'MutatingWebhookConfiguration tars-admission-mutating still trusts a replaced CA of ours, issued ',
        '(webhook mutating.tars.io); a running webhook with --manage-configurations takes it out within a minute',
      ],
    },
    { name: 'a bundle that was wiped', installed: () => ({ bundle: '' }), says: ['does NOT trust it; 0 certificates'] },
    {
      name: 'no CA yet',
      installed: () => ({ data: {} }),
      says: ['there is no CA in Secret tars-system/tars-webhook-certs; the first webhook that starts'],
    },
    {
      name: 'no Secret',
      installed: () => ({ otherwise: { [MINE]: gone } }),
      says: ['Secret tars-system/tars-webhook-certs does not exist; tars-admission manifests'],
    },
    {
      name: 'no configuration',
      installed: () => ({ otherwise: { 'tars-admission-mutating': gone } }),
      says: ['MutatingWebhookConfiguration tars-admission-mutating does not exist'],
    },
    {
      name: 'a configuration without a webhook of ours',
      installed: () => ({
        otherwise: {
          'tars-admission-mutating': (call) => call.json(200, { metadata: { name: 'tars-admission-mutating' } }),
        },
      }),
      says: ['no webhook of MutatingWebhookConfiguration tars-admission-mutating leads to us'],
    },
    {
      name: 'a CA that has expired',
      installed: () => ({ data: { 'ca.crt': oldCa.cert, 'ca.key': oldCa.key }, bundle: oldCa.cert }),
      says: [
        'the CA certificate of Secret tars-system/tars-webhook-certs has expired',
        'days ago)',
        'remove ca.crt and ca.key',
      ],
    },
    {
      name: 'a pair that expires within a day',
      installed: () => pair(oldLeaf),
      says: ['expires within a day', '(0 days left)', 'put a renewed tls.crt'],
    },
    {
      name: 'the key of another pair',
      installed: () => pair(leaf, { 'tls.key': oldLeaf.key }),
      says: ['is not the key of tls.crt: put in both of one pair'],
    },
    {
      name: 'a pair without a CA',
      installed: () => pair(leaf, { 'ca.crt': '' }),
      says: ['holds no certificate; put in'],
    },
    {
      name: 'a pair that another CA signed',
      installed: () => pair(leaf, { 'ca.crt': foreign.cert }),
      says: ['is not signed by the CA of ca.crt there; put the certificate of whoever signed it'],
    },
  ]
  it.each(CASES)('$name', async ({ installed, says }) => {
    const { code, out } = await status([], installed())
    expect(code).toBe(1)
    expect(out).toContain('\nwrong:\n  - ')
    for (const words of says) expect(out).toContain(words)
  })

  it('a served certificate that is not for the name by which the API server calls', async () => {
    await using webhook = await serving({ pair: await issueLeaf(ca, ['localhost'], new Date()) })
    const { code, out } = await status(['--server', webhook.origin])
    expect(code).toBe(1)
    expect(out).toContain(`is not for ${SERVICE}, by which the API server calls; have it issued for ${SERVICE} too`)
  })

  it('a served certificate of a CA that is not in the bundles', async () => {
    await using webhook = await serving({ pair: await issueLeaf(foreign, [SERVICE], new Date()) })
    const { code, out } = await status(['--server', webhook.origin])
    expect(code).toBe(1)
    expect(out).toContain(`does not trust the certificate of ${webhook.origin} (webhook mutating.tars.io)`)
  })

  it('the same beside a Secret whose own pair fits, of which nothing is wrong', async () => {
    const data = { 'tls.crt': leaf.cert, 'tls.key': leaf.key, 'ca.crt': ca.cert }
    await using webhook = await serving({ pair: await issueLeaf(foreign, [SERVICE], new Date()) })
    const { code, out } = await status(['--server', webhook.origin], { data })
    expect(code).toBe(1)
    expect(out).toContain(`does not trust the certificate of ${webhook.origin}`)
    expect(out).not.toContain('is not signed by the CA of ca.crt')
  })

  it('a folder that misses a file', async () => {
    const { code, out } = await status(['--certs=files', '--cert-dir', folderOf({ 'tls.crt': leaf.cert })])
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('tls.key cannot be read') })
  })
})

describe('what cannot be said ends with 3', () => {
  it('for want of rights, with what to ask for', async () => {
    const names = [MINE, 'tars-admission-mutating', 'tars-admission-validating']
    const { code, out } = await status([], { otherwise: Object.fromEntries(names.map((name) => [name, forbidden])) })
    expect(code).toBe(3)
    expect(out).toContain('you may not read Secret tars-system/tars-webhook-certs; ask for the right to get it, or')
    expect(out).toContain('you may not read MutatingWebhookConfiguration tars-admission-mutating; ask for')
  })
  it('for want of the right to read Secrets alone: what is served can still be compared', async () => {
    await using webhook = await serving({ pair: leaf })
    const { code, out } = await status(['--server', webhook.origin], { otherwise: { [MINE]: forbidden } })
    expect(code).toBe(3)
    expect(out.match(/: trusts it;/g)).toHaveLength(2)
  })
  it('for want of a cluster, and then the rest is said all the same', async () => {
    await using webhook = await serving({ pair: leaf })
    const reset = (call: Call) => call.reset()
    const otherwise = { [MINE]: reset, 'tars-admission-mutating': reset, 'tars-admission-validating': reset }
    const { code, out } = await status(['--server', webhook.origin], { otherwise })
    expect(code).toBe(3)
    expect(out).toContain('no answer from the API server')
    expect(out).toContain(`serving certificate of ${webhook.origin}`)
  })
  it('for want of a kubeconfig, which without anything else to look at is wrong usage', async () => {
    await using webhook = await serving({ pair: leaf })
    const words = ['certs', 'status', '--kubeconfig', fileOf('{}')]
    const { code, out } = await ran([...words, '--server', webhook.origin])
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringContaining('serving certificate of') })
    expect((await ran(words)).code).toBe(2)
  })
  it('for want of the server', async () => {
    const { code, out } = await status(['--server', 'https://127.0.0.1:1'])
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringContaining('nobody listens there') })
  })
  it('unless something else is wrong', async () => {
    expect((await status([], { bundle: '', otherwise: { [MINE]: forbidden } })).code).toBe(3)
    expect((await status(['--server', 'https://127.0.0.1:1'], { bundle: '' })).code).toBe(1)
  })
})

it('no key is ever printed', async () => {
  const data = { 'tls.crt': leaf.cert + leaf.key, 'tls.key': leaf.key, 'ca.crt': ca.cert + ca.key, 'ca.key': ca.key }
  const shown = await Promise.all([status([], { data }), status(['-o', 'json'], { data })])
  for (const { out, err } of shown) {
    expect(out + err).not.toMatch(/PRIVATE|BEGIN/)
    for (const line of (leaf.key + ca.key).split('\n').filter((each) => each.length > 30))
      expect(out + err).not.toContain(line)
  }
})

it('--certs files without --cert-dir is wrong usage', async () => {
  expect((await status(['--certs=files'])).code).toBe(2)
})

function endOf({ cert }: KeyPair): string {
  return new X509Certificate(cert).validToDate.toISOString()
}
