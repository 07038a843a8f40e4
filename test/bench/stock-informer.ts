import { monitorEventLoopDelay } from 'node:perf_hooks'
// biome-ignore lint/style/noRestrictedImports: it is what we are measured beside
import { CoreV1Api, CustomObjectsApi, KubeConfig, makeInformer } from '@kubernetes/client-node'

/** The same for informers of the client library, of these resources. */
const [kubeconfig = '', plurals = 'tconfigs'] = process.argv.slice(2)
const TARS = { group: 'k8s.tars.io', version: 'v1beta2' }
const config = new KubeConfig()
config.loadFromFile(kubeconfig)
const pods = config.makeApiClient(CoreV1Api)
const custom = config.makeApiClient(CustomObjectsApi)
const gaps = monitorEventLoopDelay({ resolution: 1 })
const before = process.cpuUsage()
const started = performance.now()
gaps.enable()
const informers = plurals.split(',').map((plural) => {
  if (plural === 'pods') return makeInformer(config, '/api/v1/pods', () => pods.listPodForAllNamespaces())
  const list = () => custom.listCustomObjectForAllNamespaces({ ...TARS, resourcePlural: plural })
  return makeInformer(config, `/apis/k8s.tars.io/v1beta2/${plural}`, list)
})
for (const informer of informers) {
  const failed = new Promise<never>((_, reject) => informer.on('error', reject))
  await Promise.race([informer.start(), failed])
  failed.catch(() => undefined) // its watch is of no interest
}
const { user, system } = process.cpuUsage(before)
const [ms, cpuMs, gapMs] = [performance.now() - started, (user + system) / 1_000, gaps.max / 1e6]
process.send?.({ ms, cpuMs, gapMs, rss: process.memoryUsage.rss() })
