import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { issueAuthority, issueLeaf } from '../../../certs/authority.ts'
import type { Stop } from '../../../src/commands/command.ts'
import { VERSION } from '../../../src/config.ts'
import { isTree } from '../../../src/schema.ts'
import { clientPair } from '../../support/client-certificates.ts'
import { scriptedApiServer } from '../../support/fakes/api-server.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { send, unfinishedReview } from '../../support/http-said.ts'
import { certificateAt } from '../../support/peers.ts'
import { type Running, ran, running } from '../../support/world.ts'

const PORTS = ['--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']
const WEBHOOK = ['webhook', '--cluster=memory', '--host=127.0.0.1', ...PORTS]

/** Stopped with the test, if not by it. */
function serving(...args: string[]): Running {
  const run = running([...WEBHOOK, ...args])
  onTestFinished(async () => void (await run.stop()))
  return run
}
async function ready(run: Running) {
  const line: unknown = JSON.parse(await run.firstLine)
  const { address, health, metrics, ca } = isTree(line) ? line : {}
  return { line, address: String(address), health: String(health), metrics: String(metrics), ca: String(ca) }
}

describe('a webhook that is ready', () => {
  it('says so in exactly one line of JSON on stdout', async () => {
    const run = serving()
    const { line } = await ready(run)
    const url = (scheme: string) => expect.stringMatching(new RegExp(`^${scheme}://127\\.0\\.0\\.1:\\d+$`))
    const addresses = { address: url('https'), health: url('http'), metrics: url('http') }
    expect(line).toEqual({
      event: 'ready',
      version: VERSION,
      ...addresses,
      ca: expect.stringMatching(/^\/.*\/ca\.crt$/),
    })
    await run.stop()
    expect(run.shown().out).toBe(`${JSON.stringify(line)}\n`)
  })
  it('tells its version first in the log, and in a metric', async () => {
    const run = serving()
    const { metrics } = await ready(run)
    const build = { version: VERSION, node: process.versions.node }
    const [first = ''] = run.shown().err.split('\n')
    expect(JSON.parse(first)).toMatchObject({ level: 'info', msg: 'starting', ...build })
    expect(await textAt(`${metrics}/metrics`)).toContain(
      `tars_admission_build_info{version="${build.version}",node="${build.node}"} 1`,
    )
  })
  it('answers at all three addresses', async () => {
    const { address, health, metrics, ca } = await ready(serving())
    expect(await textAt(`${health}/livez`)).toBe('ok')
    expect(await textAt(`${health}/readyz?verbose`)).toBe(
      '[+]shutdown ok\n[+]certificate ok\n[+]caches ok\n[+]caBundle ok\n',
    )
    expect(await textAt(`${metrics}/metrics`)).toContain('tars_admission_cert_not_after_seconds')
    expect(await namesOf(address, ca)).toContain('DNS:tars-webhook-service.tars-system.svc')
  })
  it.each(['localhost', '127.0.0.1'])('is verified as %s by the CA that it wrote', async (servername) => {
    const { address, ca } = await ready(serving())
    expect(await namesOf(address, ca, servername)).toContain(servername)
  })
  it('is verified as the host of --webhook-url', async () => {
    const { address, ca } = await ready(serving('--webhook-url=https://reviews.test:9443'))
    expect(await namesOf(address, ca, 'reviews.test')).toContain('DNS:reviews.test')
  })
  it('writes its CA certificate, and never a key, where --cert-dir says', async () => {
    const folder = folderOf()
    const { ca } = await ready(serving('--cert-dir', join(folder, 'certs')))
    expect(ca).toBe(join(folder, 'certs', 'ca.crt'))
    expect(readFileSync(ca, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n?$/)
  })
  it('leaves no folder behind that nobody named', async () => {
    const run = serving()
    const { ca } = await ready(run)
    await run.stop()
    expect(existsSync(dirname(ca))).toBe(false)
  })
  it('knows the objects of --seed', async () => {
    const seed = fileOf(
      'apiVersion: k8s.tars.io/v1beta2\nkind: TTemplate\nmetadata: { name: base }\nspec: { parent: base, content: "" }\n',
    )
    const { address, ca } = await ready(serving('--seed', seed))
    const heir = fileOf(
      'apiVersion: k8s.tars.io/v1beta2\nkind: TTemplate\nmetadata: { name: heir }\nspec: { parent: base, content: "" }\n',
    )
    expect(await ran(['review', '-f', heir, '--server', address, '--ca', ca])).toMatchObject({ code: 0 })
  })
  it('only warns under --enforce warn', async () => {
    const { address, ca } = await ready(serving('--enforce=warn'))
    const orphan = fileOf(
      'apiVersion: k8s.tars.io/v1beta2\nkind: TTemplate\nmetadata: { name: a }\nspec: { parent: b, content: "" }\n',
    )
    const { code, out } = await ran(['review', '-f', orphan, '--server', address, '--ca', ca])
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('warning: would be refused: spec.parent'),
    })
  })
})

describe('a webhook that is told to stop', () => {
  it.each([
    { name: 'ends with 0 on a signal', stop: { why: 'SIGTERM', code: 0 } },
    { name: 'ends with 1 on a fault that nobody caught', stop: { why: 'uncaughtException', code: 1 } },
  ] satisfies { name: string; stop: Stop }[])('$name, and nobody listens any more', async ({ stop }) => {
    const run = serving()
    const { address, health } = await ready(run)
    expect(await run.stop(stop)).toBe(stop.code)
    await expect(fetch(health)).rejects.toThrow()
    await expect(namesOf(address, fileOf(''))).rejects.toThrow('ECONNREFUSED')
  })
  it('by an error that nobody caught, has counted and logged it while the reviews in flight are answered', async () => {
    const run = serving('--log-level=warn')
    const { address, metrics, ca } = await ready(run)
    const review = await unfinishedReview(address, readFileSync(ca, 'utf8'))
    onTestFinished(() => void review.destroy())
    const ended = run.fail(new TypeError('hunter2'))
    const counted = 'tars_admission_handler_errors_total{kind="",class="unhandledRejection"} 1\n'
    expect(await textAt(`${metrics}/metrics`)).toContain(counted)
    review.destroy()
    expect(await ended).toBe(1)
    expect(JSON.parse(run.shown().err)).toMatchObject({ class: 'unhandledRejection', err: { class: 'TypeError' } })
  })
  it('before it is ready, ends as well', async () => {
    const api = await scriptedApiServer()
    onTestFinished(() => api.stop())
    const run = running([
      'webhook',
      '--kubeconfig',
      api.kubeconfig(),
      '--host=127.0.0.1',
      ...PORTS,
      '--log-level=silent',
    ])
    await api.next()
    expect(await run.stop()).toBe(0)
    expect(run.shown()).toEqual({ out: '', err: '' })
  })
})

describe('--certs files', () => {
  it('serves the pair of --cert-dir', async () => {
    const { address, ca } = await ready(serving('--certs=files', '--cert-dir', await pairFor('own.test')))
    expect(await namesOf(address, ca, 'own.test')).toBe('DNS:own.test')
  })
  it.each([
    { name: 'no folder', args: [], says: '--certs files needs --cert-dir DIR, where tls.crt, tls.key and ca.crt are' },
    { name: 'nothing in the folder', args: ['--cert-dir=/none'], says: '/none/tls.crt cannot be read' },
  ])('$name is wrong usage', async ({ args, says }) => {
    const { code, out, err } = await ran([...WEBHOOK, '--certs=files', '--log-level=silent', ...args])
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(`^tars-admission: ${says}.*\n$`),
    })
  })
})

describe('callers (SV-14)', () => {
  it('are known by a certificate with --client-ca', async () => {
    const authority = await issueAuthority(new Date())
    const { address, ca } = await ready(serving('--client-ca', fileOf(authority.cert), '--client-names=api'))
    const requested = { body: '{}', ca: readFileSync(ca, 'utf8') }
    await expect(send(address, requested)).rejects.toThrow()
    expect(await send(address, { ...requested, pair: await clientPair(authority, 'api') })).toMatchObject({ code: 400 })
    expect(await send(address, { ...requested, pair: await clientPair(authority, 'x') })).toMatchObject({ code: 403 })
  })
  it('know the way with --secret-path', async () => {
    const { address, ca } = await ready(serving('--secret-path=hunter2-hunter2-x'))
    const requested = { body: '{}', ca: readFileSync(ca, 'utf8') }
    expect(await send(address, { ...requested, path: '/hunter2-hunter2-x/validating' })).toMatchObject({ code: 400 })
    expect(await send(address, requested)).toMatchObject({ code: 404 })
  })
  it.each([
    { args: ['--client-names=api'], says: '--client-names are those of certificates: --client-ca FILE says whose' },
    { args: ['--client-ca=/none'], says: '/none cannot be read: there is no such file or folder' },
    { args: ['--client-ca=package.json'], says: 'package.json holds no certificate in PEM' },
    {
      args: ['--secret-path=hunter2'],
      says: '--secret-path takes a word of 16 to 128 letters, digits, - and _',
    },
  ])('$args are wrong usage', async ({ args, says }) => {
    const { code, err } = await ran([...WEBHOOK, '--log-level=silent', ...args])
    expect({ code, err: err.trim().replace('tars-admission: ', '') }).toEqual({ code: 2, err: says })
  })
})

describe('what keeps it from starting is told in a sentence, exit code 3', () => {
  it.each([
    { flag: '--port', others: ['--metrics-port=0', '--health-port=0'] },
    { flag: '--metrics-port', others: ['--port=0', '--health-port=0'] },
    { flag: '--health-port', others: ['--port=0', '--metrics-port=0'] },
  ])('$flag that is taken', async ({ flag, others }) => {
    const port = await takenPort()
    const args = ['webhook', '--cluster=memory', '--host=127.0.0.1', '--log-level=silent', ...others]
    const says = `port ${port} of 127.0.0.1 is taken by another process: ${flag} names another, or 0 for a free one`
    expect(await ran([...args, `${flag}=${port}`])).toEqual({ code: 3, out: '', err: `tars-admission: ${says}\n` })
  })
  it('a host that is somewhere else', async () => {
    const says = '192.0.2.1 is no address of this machine: --host names another'
    const args = ['webhook', '--cluster=memory', '--host=192.0.2.1', '--log-level=silent', ...PORTS]
    expect(await ran(args)).toEqual({ code: 3, out: '', err: `tars-admission: ${says}\n` })
  })
  it('a folder of certificates that cannot be written', async () => {
    const { code, err } = await ran([...WEBHOOK, '--log-level=silent', '--cert-dir=package.json/certs'])
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringContaining('cannot be written: name a folder that can'),
    })
  })
})

it('is alive while it waits for its certificate, and says that it does', async () => {
  const api = await scriptedApiServer()
  onTestFinished(() => api.stop())
  const port = await freePort()
  const args = [
    '--kubeconfig',
    api.kubeconfig(),
    '--host=127.0.0.1',
    '--port=0',
    '--metrics-port=0',
    '--log-level=silent',
  ]
  const run = running(['webhook', ...args, `--health-port=${port}`])
  onTestFinished(async () => void (await run.stop()))
  await api.next()
  expect(await textAt(`http://127.0.0.1:${port}/livez`)).toBe('ok')
  expect(await textAt(`http://127.0.0.1:${port}/readyz`)).toContain(
    '[-]certificate: there is no serving certificate yet',
  )
})

async function textAt(url: string): Promise<string> {
  return (await fetch(url)).text()
}

async function namesOf(address: string, ca: string, name?: string): Promise<string | undefined> {
  return (await certificateAt(address, readFileSync(ca, 'utf8'), name)).subjectaltname
}

async function pairFor(host: string): Promise<string> {
  const authority = await issueAuthority(new Date())
  const { cert, key } = await issueLeaf(authority, [host], new Date())
  return folderOf({ 'tls.crt': cert, 'tls.key': key, 'ca.crt': authority.cert })
}

async function takenPort(): Promise<number> {
  const server = createServer()
  onTestFinished(() => void server.close())
  return portOf(server)
}
/** Nobody has it for the moment. */
async function freePort(): Promise<number> {
  const server = createServer()
  const port = await portOf(server)
  await once(server.close(), 'close')
  return port
}
async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
