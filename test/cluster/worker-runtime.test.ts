import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kubeCluster } from '../../src/cluster/kube/kube-cluster.ts'
import type { Found, KubeObject, Cluster as OurCluster, Words } from '../../src/cluster/port.ts'
import { resource } from '../../src/cluster/resource.ts'
import { metricsOf } from '../../src/process/metrics.ts'
import type { Action } from '../../src/reconcile/action.ts'
import { defineController } from '../../src/reconcile/controller.ts'
import { eventsTo } from '../../src/reconcile/events.ts'
import { ALWAYS } from '../../src/reconcile/leadership.ts'
import { workerMetrics } from '../../src/reconcile/metrics.ts'
import { labelled } from '../../src/reconcile/watches.ts'
import { Worker } from '../../src/reconcile/worker.ts'
import { isTree, map, object, text } from '../../src/schema.ts'
import { settingsOf } from '../../src/setting.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { Meter } from '../../src/telemetry/metrics.ts'
import { systemClock as clock } from '../../src/timing/clock.ts'
import { TTEMPLATE, type TTemplate } from '../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { type Link, linkTo } from '../support/fakes/proxy.ts'
import { binaries } from './binaries.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { writeKubeconfig } from './kubeconfig.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'

// A control plane of its own, which is restarted and loses a definition.

const CONFIG_MAP = resource(
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' },
  object({}, { data: map(text({ doc: 'Value.' }), { doc: 'Data.' }) }),
)
const CONFIG_MAPS = '/api/v1/namespaces/demo/configmaps'
const TEMPLATES = '/apis/k8s.tars.io/v1beta2/namespaces/demo/ttemplates'
const CRDS = ['-f', 'manifests/crds/ttemplates.k8s.tars.io.yaml']
const RIGHT_WITHIN_S = 5

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> | undefined }
interface Seen {
  readonly template: Found<TTemplate>
  readonly copy: Found<ConfigMap> | undefined
}
/** Keeps a copy of each template in a ConfigMap. */
const copies = defineController<TTemplate, Seen>({
  name: 'copies',
  of: TTEMPLATE,
  watches: [labelled(CONFIG_MAP, ({ copied }: Words) => copied, { carrying: ['copied'] })],
  writes: [{ resource: CONFIG_MAP, verbs: ['apply'] }],
  async observe(key, { cached }) {
    const template = await cached.get(TTEMPLATE, key)
    const [copy] = await cached.list(CONFIG_MAP, { namespace: key.namespace, labels: { copied: key.name } })
    return template && { template, copy }
  },
  plan: ({ template, copy }) => ({
    actions: [copied(template, copy)],
    notices: [{ type: 'Normal', reason: 'Copied', message: 'the copy is as the template' }],
  }),
})
function copied({ metadata: { namespace = '', name }, spec }: Found<TTemplate>, copy: Seen['copy']): Action {
  const metadata = { namespace, name: `copy-of-${name}`, labels: { copied: name } }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { content: spec?.content ?? '' } }
  return { do: 'apply', of: CONFIG_MAP, object, because: 'XX-R1', ...(copy && { over: copy }) }
}

let control: ControlPlane
let link: Link
let cluster: OurCluster
let worker: Worker
let results: string[] = []
const meter = new Meter('tars_worker_')

beforeAll(async () => {
  const { controllers: _, ...needed } = await binaries()
  control = await startControlPlane({ binaries: needed })
  await define()
  await control.request('POST', '/api/v1/namespaces', { metadata: { name: 'demo' } })
  link = await linkTo(control.port)
  const kubeconfig = join(control.folder, 'link.kubeconfig')
  writeKubeconfig(kubeconfig, { ...control.facts, url: `https://127.0.0.1:${link.port}` }, control.tokens.admin)
  const log = logTo({ write: () => undefined }, 'silent')
  const reads = copies.watches
  cluster = await kubeCluster({ kubeconfig, reads, metrics: metricsOf(), log })
  let events = 0
  const unique = () => String(++events).padStart(16, '0')
  worker = new Worker([copies], {
    ...{ cluster, clock, log, leadership: ALWAYS, settings: settingsOf({}), profile: 'seed', writesPerSecond: 1_000 },
    metrics: workerMetrics(meter),
    notifier: (writer) => eventsTo({ writer, clock, identity: 'test', unique }),
    onTurn: (_controller, { name }, { turn }) => results.push(`${name} ${turn?.results[0]?.outcome ?? 'gone'}`),
  })
  worker.start()
}, 120_000)
afterAll(async () => {
  await worker.stop(1_000)
  cluster.stop()
  await link.stop()
  await control.stop()
})

async function define(): Promise<void> {
  expectDone(await control.kubectl(['apply', ...CRDS]))
  expectDone(await control.kubectl(['wait', '--for=condition=Established', '--timeout=20s', ...CRDS]))
}
async function createTemplate(name: string, content = 'first'): Promise<void> {
  const template = { ...aTTemplate({ name, namespace: 'demo' }), spec: { parent: name, content } }
  expect(await control.request('POST', TEMPLATES, template)).toMatchObject({ status: 201 })
}
async function contentOf(name: string): Promise<unknown> {
  const { body } = await control.request('GET', `${CONFIG_MAPS}/copy-of-${name}`)
  return isTree(body) && isTree(body.data) ? body.data.content : undefined
}
const copyIs = (name: string, content: string, seconds = RIGHT_WITHIN_S) =>
  until(`the copy of ${name} is ${content}`, async () => (await contentOf(name)) === content, { seconds })

describe('a worker on a real API server', () => {
  it('makes what is wanted, repairs it, and rests (WR-3, WK-5)', async () => {
    await createTemplate('a')
    await copyIs('a', 'first')
    expectDone(
      await control.kubectl([
        '-n',
        'demo',
        'patch',
        'cm',
        'copy-of-a',
        '--type=merge',
        '-p',
        '{"data":{"content":"drift"}}',
      ]),
    )
    await copyIs('a', 'first')
    expectDone(await control.kubectl(['-n', 'demo', 'delete', 'cm', 'copy-of-a']))
    await copyIs('a', 'first')
    await until('it rests', async () => worker.isIdle && results.at(-1) === 'a needless')
    expect(results.filter((each) => each === 'a done')).toHaveLength(3)
    const metrics = await meter.registry.metrics()
    expect(metrics).toContain('{verb="apply",resource="configmaps",code="200"} 3')
    expect(metrics.match(/\{verb="get".*/g)).toEqual(['{verb="get",resource="ttemplates",code="200"} 1']) // TS-R7
  })

  it('tells of it by an event (WR-6)', async () => {
    const { stdout } = await control.kubectl(['-n', 'demo', 'get', 'events', '-o', 'jsonpath={.items[*].reason}'])
    expect(stdout).toBe('Copied')
    const { stdout: described } = await control.kubectl(['-n', 'demo', 'describe', 'ttemplate', 'a'])
    expect(described).toMatch(/Normal +Copied +.* +tars-controller +the copy is as the template/)
  })

  it('goes on within 5 s after a restart of the API server, with what it has missed (RL-6)', async () => {
    link.cut()
    await control.request('DELETE', `${CONFIG_MAPS}/copy-of-a`)
    await createTemplate('b')
    await control.restartApiServer()
    link.heal()
    await Promise.all([copyIs('a', 'first'), copyIs('b', 'first')])
  })

  it('needs no restart when a definition vanishes and returns', async () => {
    expectDone(await control.kubectl(['delete', ...CRDS, '--timeout=30s']))
    await until(
      'the templates are gone',
      async () => (await cluster.readers.cached.list(TTEMPLATE, { namespace: '' })).length === 0,
    )
    results = []
    await define()
    await createTemplate('c')
    await copyIs('c', 'first', 40)
  }, 120_000)

  it('does not write what another writer has made under its name (WK-12)', async () => {
    const taken = { metadata: { name: 'copy-of-d' }, data: { content: 'foreign' } }
    expect(await control.request('POST', CONFIG_MAPS, taken)).toMatchObject({ status: 201 })
    await createTemplate('d')
    await until('it has tried', () => results.filter((each) => each === 'd overtaken').length >= 4)
    expect(await contentOf('d')).toBe('foreign')
  })
})
