import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import './taccount-passwords.ts'
import { expectDone, install, type Product } from './product.ts'
import {
  account,
  clear,
  cluster,
  fresh,
  kubectl,
  namespace,
  on,
  passwords,
  patch,
  path,
  printed,
  stored,
} from './taccount-cluster.ts'

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
