import { cachedReader } from '../../src/cluster/cached-reader.ts'
import { keptFor } from '../../src/cluster/kept.ts'
import { Cache } from '../../src/cluster/kube/cache/cache.ts'
import { needsOf } from '../../src/cluster/needs.ts'
import type { Built, ClusterReader } from '../../src/cluster/port.ts'
import { configFrom } from '../../src/commands/settings.ts'
import { memoryCluster } from '../../src/process/memory-cluster.ts'
import { metricsOf, PREFIX } from '../../src/process/metrics.ts'
import { SERVING, serving } from '../../src/process/reviews.ts'
import { started } from '../../src/process/running.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { Meter } from '../../src/telemetry/metrics.ts'
import { LABELS } from '../../webhooks/tars/names.ts'
import { kinds } from '../support/kinds.ts'
import { answerToParent } from './child.ts'
import { stored, storedConfig, template } from './objects.ts'
import { recorded, requestOf } from './reviews.ts'

/**
 * The webhook as it is served. Its caches are filled as by a reflector with as many TConfigs and TTemplates as it is told,
 * and look-ups that go to the API server are answered from memory at once: what that one takes is not ours.
 */
const [folder = '', many = '0'] = process.argv.slice(2)
const args = [
  '--certs=files',
  `--cert-dir=${folder}`,
  '--host=127.0.0.1',
  '--port=0',
  '--metrics-port=0',
  '--health-port=0',
]
const config = configFrom({ args, env: {}, names: SERVING, readFile: () => ({}) })

const held = keptFor(needsOf({ kinds }, 'webhook').reads).map((kept) => {
  const [cache, whole] = [new Cache(kept), new Cache({ byLabels: Object.values(LABELS) })]
  for (const object of there(kept.resource.kind)) for (const each of [whole, cache]) each.put(object) // they share what they can
  const { resource, carrying } = kept
  return { cached: { resource, carrying, inMemory: () => cache }, live: { resource, carrying, inMemory: () => whole } }
})

function* there(kind: string): Generator<Built> {
  if (kind === 'TConfig') for (let i = 0; i < Number(many); i += 1) yield storedConfig(i, 0)
  if (kind !== 'TTemplate') return
  yield stored(template('root', 'root'))
  yield templateOfRecording()
  for (let i = 0; i < Number(many); i += 1) yield stored(template(`t-${i}`, 'root'))
}

/** The one that the recorded TServers have. */
function templateOfRecording(): Built {
  const { namespace } = requestOf(recorded('04-tserver-update-json-patch.mutate'))
  const { metadata, ...body } = template('tars.cpp', 'tars.cpp')
  return stored({ ...body, metadata: { ...metadata, namespace: String(namespace) } })
}

const none: ClusterReader = memoryCluster([])
const live = cachedReader(
  held.map(({ live }) => live),
  none,
)
const cached = cachedReader(
  held.map(({ cached }) => cached),
  live,
)
const memory = memoryCluster(kinds)
const cluster = {
  readers: { cached, live },
  async *pages() {},
  cachedFor: () => cached,
  writer: memory,
  watcher: memory,
  user: async () => undefined,
  openApi: async () => undefined,
  synced: Promise.resolve(),
  states: () => [],
  stop() {},
}
const log = logTo({ write: () => undefined }, 'info')
const meter = new Meter(PREFIX)
meter.collectProcess()
const metrics = metricsOf(meter)
const { ready } = started({ config, meter }, serving({ kinds, config, cluster, metrics, log }))
const { address = '' } = await ready
answerToParent(Number(new URL(address).port))
