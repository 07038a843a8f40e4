import { describe, expect, it, onTestFinished } from 'vitest'
import { VERSION } from '../../../src/config.ts'
import { isTree } from '../../../src/schema.ts'
import { scriptedApiServer } from '../../support/fakes/api-server.ts'
import { fileOf } from '../../support/folders.ts'
import { type Running, ran, running } from '../../support/world.ts'

const PORTS = ['--host=127.0.0.1', '--metrics-port=0', '--health-port=0']

function working(...args: readonly string[]): Running {
  const run = running(['worker', '--cluster=memory', ...PORTS, ...args])
  onTestFinished(async () => void (await run.stop()))
  return run
}
async function ready(run: Running) {
  const line: unknown = JSON.parse(await run.firstLine)
  const { health, metrics } = isTree(line) ? line : {}
  return { line, health: String(health), metrics: String(metrics) }
}
const textAt = async (url: string) => (await fetch(url)).text()

describe('a worker that is ready (WR-9)', () => {
  it('says so in exactly one line of JSON, with its identity and without what reviews have', async () => {
    const run = working()
    const { line } = await ready(run)
    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)
    const identity = expect.stringMatching(/^\S+_[-0-9a-f]{36}$/)
    expect(line).toEqual({ event: 'ready', version: VERSION, identity, health: url, metrics: url })
    expect(await run.stop()).toBe(0)
    expect(run.shown().out).toBe(`${JSON.stringify(line)}\n`)
  })
  it('answers for its health and its metrics', async () => {
    const { health, metrics } = await ready(working())
    expect(await textAt(`${health}/readyz?verbose`)).toContain('[+]caches ok\n')
    expect(await textAt(`${metrics}/metrics`)).toContain('tars_worker_build_info')
  })
})

describe('a worker among others', () => {
  const leads = (metrics: string) =>
    textAt(`${metrics}/metrics`).then((text) => /^tars_worker_leader (\d)$/m.exec(text)?.[1])
  it.each(['true', 'false'])('leads where it is alone, with --leader-elect=%s', async (elects) => {
    const { metrics } = await ready(working(`--leader-elect=${elects}`))
    await expect.poll(() => leads(metrics)).toBe('1')
  })
  it('is ready while another leads (WR-9)', async () => {
    const spec = { holderIdentity: 'another', leaseDurationSeconds: 15, renewTime: '2026-11-19T12:00:00.000000Z' }
    const metadata = { namespace: 'tars-system', name: 'tars-admission-worker', uid: 'a' }
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec }
    const { metrics } = await ready(working('--seed', fileOf(JSON.stringify(lease), 'lease.json')))
    expect(await leads(metrics)).toBe('0')
  })
})

describe('the flags of a worker (WR-9)', () => {
  it.each([
    '--cluster=memory',
    '--kubeconfig=f',
    '--namespace=a',
    '--namespaces=a,b',
    '--leader-elect=false',
    '--beside-upstream',
    '--writes-per-second=5',
    '--families=tars',
    '--profile=upstream',
    '--metrics-port=0',
    '--health-port=0',
    '--log-level=silent',
    '--mount-host-timezone=false',
    '--local-volume-storage-class=fast',
  ])('%s is one, and config print shows it', async (flag) => {
    const [name = ''] = flag.split('=')
    expect((await ran(['worker', '--help'])).out).toContain(`${name} `)
    expect((await ran(['config', 'print', flag])).out).toMatch(new RegExp(`^${name.slice(2)}:`, 'm'))
  })
  it.each([
    { flag: '--namespaces=A', says: '--namespaces takes a namespace like tars-system, not "A"' },
    { flag: '--writes-per-second=0', says: '--writes-per-second takes a whole number from 1 to 10000, not "0"' },
    { flag: '--port=1', says: '--port is no flag of this command; --help names its flags' },
  ])('$flag is wrong usage', async ({ flag, says }) => {
    expect(await ran(['worker', flag])).toEqual({ code: 2, out: '', err: `tars-admission: ${says}\n` })
  })
})

it('a worker that is told to stop before it is ready, ends as well', async () => {
  const api = await scriptedApiServer()
  onTestFinished(() => api.stop())
  const run = running(['worker', '--kubeconfig', api.kubeconfig(), ...PORTS, '--log-level=silent'])
  expect(await run.stop()).toBe(0)
})
