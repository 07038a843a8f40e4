import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha1Of } from '../../src/kube/digests.ts'
import { PasswordPool } from '../../src/remote/passwords/pool.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'

const cluster = theCluster()
const namespace = 'accounts'
const inNamespace = `--namespace=${namespace}`
const path = `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}/taccounts`
const passwords = new PasswordPool()
let product: Product

beforeAll(async () => {
  product = await install(cluster, '--log-level=debug')
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
}, 120_000)
afterAll(async () => {
  await passwords.stop()
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

/** What nobody may find anywhere, once this suite is through, and what kubectl has printed meanwhile. */
const clear: string[] = []
const printed: string[] = []

const fresh = () => secret(`Clear-${randomBytes(6).toString('hex')}`)
function secret(password: string): string {
  clear.push(password)
  return password
}

function account(username: string, authentication: object): object {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TAccount',
    metadata: { name: username },
    spec: { username, authentication, authorization: [] },
  }
}
async function noted(printing: Promise<Printed>): Promise<Printed> {
  const shown = await printing
  printed.push(shown.stdout, shown.stderr)
  return shown
}
const kubectl = (verb: string, object: object, ...flags: readonly string[]) =>
  noted(cluster.kubectl([verb, inNamespace, '-f', '-', ...flags], { stdin: JSON.stringify(object) }))
const on = (...args: readonly string[]) => noted(cluster.kubectl([...args, inNamespace]))
const patch = (name: string, authentication: object) =>
  on('patch', 'taccount', name, '--type=merge', '-p', JSON.stringify({ spec: { authentication } }))

const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
async function stored(name: string) {
  const { metadata, spec } = treeOf((await cluster.request('GET', `${path}/${name}`)).body)
  const { annotations } = treeOf(metadata)
  return { annotations: treeOf(annotations), authentication: treeOf(treeOf(spec).authentication) }
}
async function expectHashed(name: string, password: string): Promise<void> {
  const { annotations, authentication } = await stored(name)
  const { bcryptPassword, ...others } = authentication
  expect(await passwords.verify(sha1Of(password), String(bcryptPassword))).toBe(true)
  expect(others).toEqual({ activated: false, tokens: [] })
  expect(annotations).toEqual({})
}

describe('a password is stored as its hash alone (TA-M1, TA-M6), written by', () => {
  it.each([
    ['create', ['create']],
    ['create --save-config', ['create', '--save-config']],
    ['apply', ['apply']],
    ['apply --server-side', ['apply', '--server-side']],
  ])('kubectl %s', async (_, [verb = '', ...flags]) => {
    const name = [verb, ...flags].join('').slice(0, 16)
    const password = fresh()
    expectDone(await kubectl(verb, account(name, { password }), ...flags))
    await expectHashed(name, password)
  })
  it.each([
    ['patch', (name: string, password: string) => patch(name, { password })],
    [
      'patch --type=json',
      (name: string, value: string) => {
        const operations = JSON.stringify([{ op: 'add', path: '/spec/authentication/password', value }])
        return on('patch', 'taccount', name, '--type=json', '-p', operations)
      },
    ],
    ['replace', (name: string, password: string) => kubectl('replace', account(name, { password }))],
    [
      'replace --save-config',
      (name: string, password: string) => kubectl('replace', account(name, { password }), '--save-config'),
    ],
    ['apply', (name: string, password: string) => kubectl('apply', account(name, { password }))],
  ])('kubectl %s, on what is there', async (_, write) => {
    expectDone(await kubectl('create', account('there', { password: fresh() })))
    const password = fresh()
    expectDone(await write('there', password))
    await expectHashed('there', password)
    expectDone(await on('delete', 'taccount', 'there'))
  })
  it('nobody, in a dry run', async () => {
    const { code, stdout } = await kubectl(
      'create',
      account('dry', { password: fresh() }),
      '--dry-run=server',
      '-o',
      'json',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout).spec.authentication).toMatchObject({
      bcryptPassword: expect.stringMatching(/^\$2a\$10\$/),
    })
    expect((await on('get', 'taccount', 'dry')).stderr).toContain('not found')
  })
})

describe('and what others note of the write is not kept (TA-M6)', () => {
  const NOTES = [
    'kubernetes.io/change-cause',
    'kapp.k14s.io/original',
    'objectset.rio.cattle.io/applied',
    'banzaicloud.com/last-applied',
    'deployer.example.com/original',
  ]

  it('kubectl patch --record notes its command line in a request of its own', async () => {
    expectDone(await kubectl('create', account('noted', { password: fresh() })))
    const password = fresh()
    const words = JSON.stringify({ spec: { authentication: { password } } })
    const recorded = await on('patch', 'taccount', 'noted', '--type=merge', '-p', words, '--record')
    expect(recorded).toMatchObject({ code: 0, stderr: expect.stringContaining('--record has been deprecated') })
    expect(patchesOf('noted')).toBe(2)
    await expectHashed('noted', password)
  })
  it.each([['create'], ['apply'], ['apply', '--server-side'], ['replace']])(
    'installers, by %s %s',
    async (verb, ...flags) => {
      const name = `by-${[verb, ...flags].join('').slice(0, 12)}`
      const password = fresh()
      const spec = account(name, { password })
      const annotations = Object.fromEntries(NOTES.map((key) => [key, JSON.stringify(spec)]))
      if (verb === 'replace') expectDone(await kubectl('create', account(name, { password: fresh() })))
      expectDone(await kubectl(verb, { ...spec, metadata: { name, annotations } }, ...flags))
      await expectHashed(name, password)
    },
  )

  const patchesOf = (name: string) => {
    const events = readFileSync(cluster.auditLog, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"verb":"patch"'))
    return events.filter((line) => line.includes(`/taccounts/${name}?`) && line.includes('"ResponseComplete"')).length
  }
})

describe('TA-V1 a refused password is told of and not told', () => {
  const REFUSED =
    'is invalid: spec.authentication.password: must be 6 to 32 printable ASCII characters without spaces; ' +
    'choose another one, in quotes if it is all digits (TA-V1)\n'

  const BAD: readonly (readonly [string, () => string | number])[] = [
    ['one that is too short', () => secret(`#${randomBytes(2).toString('hex')}`)],
    ['one with a space', () => secret(`Clear ${randomBytes(6).toString('hex')}`)],
    ['one that is too long', () => secret(`Clear-${randomBytes(20).toString('hex')}`)],
    ['a number', () => Number(secret(String(100_000_000_000 + randomBytes(4).readUInt32BE())))],
  ]
  /** The field is gone, but not that it was kubectl create which wrote it. */
  const FORCED = ['--server-side', '--force-conflicts']

  it.each(BAD)('create: %s', async (_, badOne) => {
    const { code, stderr } = await kubectl('create', account('refused', { password: badOne() }), '--validate=false')
    expect(stderr).toBe(`The TAccount "refused" ${REFUSED}`)
    expect(code).toBe(1)
  })
  it.each(BAD)('by apply, apply --server-side and patch on what is there: %s', async (_, badOne) => {
    expectDone(await kubectl('create', account('kept', { password: fresh() })))
    const before = await stored('kept')
    const shown = [
      await kubectl('apply', account('kept', { password: badOne() }), '--validate=false'),
      await kubectl('apply', account('kept', { password: badOne() }), '--validate=false', ...FORCED),
      await patch('kept', { password: badOne() }),
    ]
    for (const { stderr } of shown) expect(stderr).toContain(`The TAccount "kept" ${REFUSED}`)
    expect(await stored('kept')).toEqual(before)
    expectDone(await on('delete', 'taccount', 'kept'))
  })
  it('and where something else is of a wrong type, the API server says so, and it is nowhere either', async () => {
    const wrong = account('refused', { password: fresh(), activated: 'yes' })
    const { code, stderr } = await kubectl('create', wrong, '--validate=false')
    expect(stderr).toContain('spec.authentication.activated: Invalid value: "string"')
    expect(code).toBe(1)
  })
  it('nor has an account neither password nor hash: the API server says so', async () => {
    const { stderr } = await kubectl('create', account('bare', { activated: true }))
    expect(stderr).toContain('The TAccount "bare" is invalid')
    expect(stderr).toContain('spec.authentication')
  })
})

describe('sessions', () => {
  const login = { name: 'login', content: 'a session', expirationTime: '2027-01-01T00:00:00Z', valid: true }
  const sessionsOf = async (name: string) => (await stored(name)).authentication.tokens

  it.each([
    ['apply', []],
    ['apply --server-side', ['--server-side']],
  ])('outlive the same manifest again, by kubectl %s (TA-M5, TA-M8)', async (_, flags) => {
    const manifest = account('again', { password: fresh() })
    expectDone(await kubectl('apply', manifest, ...flags))
    expectDone(await patch('again', { tokens: [login] }))
    const before = await stored('again')
    expect(before.authentication.tokens).toEqual([login])
    for (let turn = 1; turn <= 3; turn += 1) {
      expectDone(await kubectl('apply', manifest, ...flags))
      expect(await stored('again')).toEqual(before)
    }
    expectDone(await on('delete', 'taccount', 'again'))
  })
  it('outlive kubectl replace with the same password', async () => {
    const manifest = account('again', { password: fresh() })
    expectDone(await kubectl('create', manifest))
    expectDone(await patch('again', { tokens: [login] }))
    expectDone(await kubectl('replace', manifest))
    expect(await sessionsOf('again')).toEqual([login])
  })
  it('end with another password', async () => {
    expectDone(await patch('again', { password: fresh() }))
    expect(await sessionsOf('again')).toEqual([])
  })
  it('kubectl apply warns that it has no copy of what it applied last, and goes on', async () => {
    const { code, stderr } = await kubectl('apply', account('again', { password: fresh() }))
    expect(stderr).toMatch(
      /^Warning: resource taccounts\/again is missing the kubectl.kubernetes.io\/last-applied-configuration annotation/,
    )
    expect(code).toBe(0)
  })
})

describe('what people see', () => {
  it('get shows the username', async () => {
    expect((await on('get', 'ta', 'again')).stdout).toMatch(/NAME +USERNAME +AGE\nagain +again +/)
  })
  it('TA-V2: a name that is no MD5 is warned of', async () => {
    const { code, stderr } = await kubectl('create', account('admin', { password: fresh() }))
    expect(stderr).toBe(
      'Warning: spec.authentication.password: removed, for a password is stored as its hash and ends all sessions (TA-M1)\n' +
        'Warning: metadata.name: must be md5 of spec.username ("21232f297a57a5a743894a0e4a801fc3"); ' +
        'give the account that name (TA-V2)\n',
    )
    expect(code).toBe(0)
  })
})

describe('SC-6 none of these passwords is left', () => {
  /** As texts, whatever else is in there. */
  const foundIn = (...texts: readonly (string | Buffer)[]) =>
    clear.filter((password) => texts.some((text) => text.includes(password)))
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) =>
      each.isFile() ? [readFileSync(join(each.parentPath, each.name))] : [],
    )

  it('of the many that were written', () => {
    expect(clear.length).toBeGreaterThan(30)
    expect(new Set(clear).size).toBe(clear.length)
  })
  it('in what kubectl printed', () => {
    expect(foundIn(...printed)).toEqual([])
  })
  it('in what can be read of the cluster', async () => {
    const { body } = await cluster.request('GET', path)
    expect(JSON.stringify(body)).toContain('bcryptPassword')
    expect(foundIn(JSON.stringify(body), (await on('get', 'events', '-o', 'json')).stdout)).toEqual([])
  })
  it('in what etcd has ever stored, its log of writes among it', () => {
    const files = filesIn(join(cluster.folder, 'etcd'))
    expect(files.some((file) => file.includes('bcryptPassword'))).toBe(true)
    expect(foundIn(...files)).toEqual([])
  })
  it('in the audit log of an API server with the policy that we ship, which records bodies of our other kinds', () => {
    const log = readFileSync(cluster.auditLog, 'utf8')
    const events = log.split('\n').flatMap((line) => (line.includes('"taccounts"') ? [JSON.parse(line)] : []))
    expect(events.length).toBeGreaterThan(clear.length)
    expect(events.filter(({ requestObject, responseObject }) => requestObject ?? responseObject)).toEqual([])
    expect(foundIn(log)).toEqual([])
  })
  it('in the log of our webhook, at level debug', () => {
    expect(product.webhook.log()).toContain('TA-V1')
    expect(foundIn(product.webhook.log())).toEqual([])
  })
  it('in its metrics', async () => {
    const { metrics } = await product.webhook.ready()
    const shown = await (await fetch(`${metrics}/metrics`)).text()
    expect(shown).toContain('tars_admission_denied_total{rule="TA-V1"}')
    expect(foundIn(shown)).toEqual([])
  })
  it('in the logs of the control plane', () => {
    expect(foundIn(...filesIn(cluster.logs))).toEqual([])
  })
})

describe('what kubectl itself shows of a write that nobody could review', () => {
  it('is its patch, by apply on the author’s side, and nothing by apply --server-side', async () => {
    const [local, onServer] = [fresh(), fresh()]
    await product.webhook.stop()
    const applied = await kubectl('apply', account('again', { password: local }))
    const forced = await kubectl(
      'apply',
      account('again', { password: onServer }),
      '--server-side',
      '--force-conflicts',
    )
    await product.webhook.start('--log-level=debug')
    expect(applied).toMatchObject({ code: 1, stderr: expect.stringContaining(`"password":"${local}"`) })
    expect(forced).toMatchObject({ code: 1, stderr: expect.stringContaining('failed calling webhook') })
    expect(forced.stderr).not.toContain(onServer)
    const log = readFileSync(cluster.auditLog, 'utf8')
    expect([local, onServer].filter((password) => log.includes(password))).toEqual([])
  })
})
