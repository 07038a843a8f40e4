import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { issueAuthority, issueLeaf } from '../../../certs/authority.ts'
import type { Stop } from '../../../src/commands/command.ts'
import { VERSION } from '../../../src/config.ts'
import { scriptedApiServer } from '../../support/fakes/api-server.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { unfinishedReview } from '../../support/http-said.ts'
import { certificateAt } from '../../support/peers.ts'
import { ran, running } from '../../support/world.ts'
import { PORTS, ready, serving, textAt, WEBHOOK } from './webhook-running.ts'

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

async function namesOf(address: string, ca: string, name?: string): Promise<string | undefined> {
  return (await certificateAt(address, readFileSync(ca, 'utf8'), name)).subjectaltname
}

async function pairFor(host: string): Promise<string> {
  const authority = await issueAuthority(new Date())
  const { cert, key } = await issueLeaf(authority, [host], new Date())
  return folderOf({ 'tls.crt': cert, 'tls.key': key, 'ca.crt': authority.cert })
}
