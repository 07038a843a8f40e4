import { Cache } from '../../src/cluster/kube/cache.ts'
import { cachedReader } from '../../src/cluster/kube/cached-reader.ts'
import { memoryCluster } from '../../src/commands/clusters.ts'
import { SERVING, serve } from '../../src/commands/serve.ts'
import { configFrom } from '../../src/config.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { metricsOf } from '../../src/telemetry/metrics.ts'
import { kinds } from '../../webhooks/index.ts'
import { answerToParent } from './child.ts'
import { template } from './templates.ts'

/** The webhook as it is served, its cache filled with as many TTemplates as it is told, as a reflector would. */
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

const [read] = kinds.flatMap(({ reads }) => reads)
const cache = new Cache(read?.kept ?? { byLabels: [] })
cache.begin()
cache.add([template('root', 'root')])
for (let i = 1; i < Number(many); i += 1) cache.add([template(`t-${i}`, 'root')])
cache.done()

const memory = memoryCluster() // what is not in the cache is looked up live, and is not there either
const live = memory
const cached = cachedReader(({ plural }) => (plural === read?.resource.plural ? cache : undefined), live)
const cluster = {
  readers: { cached, live },
  writer: memory,
  watcher: memory,
  synced: Promise.resolve(),
  states: () => [],
  stop() {},
}
const log = logTo({ write: () => undefined }, 'info')
const metrics = metricsOf()
metrics.collectProcess()
const { ready } = await serve({ config, cluster, metrics, log })
answerToParent(Number(new URL((await ready).address).port))
