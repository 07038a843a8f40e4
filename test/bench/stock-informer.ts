import { monitorEventLoopDelay } from 'node:perf_hooks'
// biome-ignore lint/style/noRestrictedImports: it is what we are measured beside
import { CustomObjectsApi, KubeConfig, makeInformer } from '@kubernetes/client-node'

/** The same for the informer of the client library. */
const [kubeconfig = ''] = process.argv.slice(2)
const TCONFIGS = { group: 'k8s.tars.io', version: 'v1beta2', plural: 'tconfigs' }
const config = new KubeConfig()
config.loadFromFile(kubeconfig)
const api = config.makeApiClient(CustomObjectsApi)
const gaps = monitorEventLoopDelay({ resolution: 1 })
const list = () => api.listCustomObjectForAllNamespaces({ ...TCONFIGS, resourcePlural: TCONFIGS.plural })
const informer = makeInformer(config, '/apis/k8s.tars.io/v1beta2/tconfigs', list)
const failed = new Promise<never>((_, reject) => informer.on('error', reject))
const before = process.cpuUsage()
const started = performance.now()
gaps.enable()
await Promise.race([informer.start(), failed])
const { user, system } = process.cpuUsage(before)
process.send?.({ ms: performance.now() - started, cpuMs: (user + system) / 1_000, gapMs: gaps.max / 1e6 })
