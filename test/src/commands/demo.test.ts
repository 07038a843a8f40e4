import { describe, expect, it, onTestFinished } from 'vitest'
import { configFrom } from '../../../src/commands/settings.ts'
import { embeddedCluster } from '../../../src/commands/webhook.ts'
import { metricsOf } from '../../../src/process/metrics.ts'
import { SERVING } from '../../../src/process/reviews.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { kinds } from '../../support/kinds.ts'
import { notes } from '../../support/notes.ts'
import { ran, running } from '../../support/world.ts'

const PORTS = ['--port=0', '--metrics-port=0', '--health-port=0']

async function shown(env: Readonly<Record<string, string>> = {}) {
  const demo = running(['demo', ...PORTS], env)
  onTestFinished(async () => void (await demo.stop()))
  const line = JSON.parse(await demo.firstLine)
  return { demo, line, reported: demo.shown().err }
}

describe('the demo', () => {
  it('says on stdout that it is ready, and on stderr what to try', async () => {
    const { demo, line, reported } = await shown()
    expect(line).toMatchObject({ event: 'ready', address: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/) })
    expect(reported).toContain(
      `answers reviews at ${line.address}, on an embedded cluster that holds manifests/samples/good.`,
    )
    expect(await demo.stop()).toBe(0)
    expect(demo.shown().out).toBe(`${JSON.stringify(line)}\n`)
  })
  it('offers commands that do what it says', async () => {
    const { reported } = await shown()
    const commands = [...reported.matchAll(/^ {2}npx --no-install tars-admission ([^#\n]+)/gm)].map(([, words = '']) =>
      words.trim().split(' '),
    )
    const [good, bad] = await Promise.all(commands.map((words) => ran(words)))
    expect(good).toMatchObject({ code: 0, out: expect.stringMatching(/ 0 refused\n$/) })
    expect(bad).toMatchObject({ code: 1, out: expect.stringContaining('(TS-V8)') })
  })
  it('holds the samples as their creation left them: each good one is admitted beside them', async () => {
    const { line } = await shown()
    const samples = ['-f', 'manifests/samples/good', '--server', line.address, '--ca', line.ca]
    expect(await ran(['review', ...samples])).toMatchObject({ code: 0, out: expect.stringMatching(/ 0 refused\n$/) })
  })
  it('offers addresses that answer', async () => {
    const { reported } = await shown()
    const urls = [...reported.matchAll(/^ {2}curl '(.+?)'/gm)].map(([, url = '']) => url)
    const answers = await Promise.all(urls.map(async (url) => (await fetch(url)).text()))
    expect(answers).toEqual([expect.stringContaining('[+]caches ok'), expect.stringContaining('tars_admission_')])
  })
  it('has a worker beside the webhook, which makes what is due of the samples', async () => {
    const { line, reported } = await shown()
    expect(line.identity).toMatch(/\S/)
    expect(reported).toContain('The pods are imitated: nothing runs.')
    const written = async () => (await (await fetch(`${line.metrics}/metrics`)).text()).match(/^tars_worker_api.*$/gm)
    // Three TServers, and a Nacos with two Services.
    const wanted = { tendpoints: 3, services: 5, statefulsets: 4 }
    for (const [resource, many] of Object.entries(wanted))
      await expect
        .poll(written, { timeout: 10_000 })
        .toContain(`tars_worker_api_requests_total{verb="apply",resource="${resource}",code="200"} ${many}`)
  }, 20_000)
  it('never goes to a real cluster, whatever the environment says', async () => {
    const { line } = await shown({ TARS_ADMISSION_CLUSTER: 'kube', TARS_ADMISSION_KUBECONFIG: '/none' })
    expect(line.event).toBe('ready')
  })
})

describe('the cluster under the demo', () => {
  /** As its parts write to it: the webhook today, the worker as another user. */
  async function embedded(...args: readonly string[]) {
    const opened = new AsyncDisposableStack()
    onTestFinished(() => opened.disposeAsync())
    const config = configFrom({ args, env: {}, names: SERVING, readFile: () => ({}) })
    return embeddedCluster({ config, kinds, asked: [], log: notes(), metrics: metricsOf() }, opened)
  }
  const orphan = aTTemplate({ name: 'orphan', parent: 'nowhere', labels: {} })

  it('asks our own code about each write: what has to be refused is not stored', async () => {
    const { writer, readers } = await embedded()
    await expect(writer.create(TTEMPLATE, orphan)).rejects.toThrow('(TT-V2)')
    expect(await readers.live.list(TTEMPLATE, { namespace: '' })).toEqual([])
  })
  it('completes what is written', async () => {
    const { writer } = await embedded()
    await writer.create(TTEMPLATE, aTTemplate({ name: 'root', parent: 'root', labels: {} }))
    const child = await writer.create(TTEMPLATE, aTTemplate({ name: 'child', parent: 'root', labels: {} }))
    expect(child.metadata.labels).toEqual({ 'tars.io/Parent': 'root' })
  })
  it('only warns under --enforce warn', async () => {
    const { writer } = await embedded('--enforce=warn')
    expect(await writer.create(TTEMPLATE, orphan)).toMatchObject({ metadata: { name: 'orphan' } })
  })
})
