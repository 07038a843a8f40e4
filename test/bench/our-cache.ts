import { monitorEventLoopDelay } from 'node:perf_hooks'
import { clusterOn } from '../../src/cluster/kube/kube-cluster.ts'
import { connect } from '../../src/cluster/kube/wire/connection.ts'
import { metricsOf } from '../../src/process/metrics.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { kinds } from '../support/kinds.ts'

/** Tells how long our caches take from the first request until they hold everything. */
const [kubeconfig = ''] = process.argv.slice(2)
const log = logTo({ write: (line) => process.stderr.write(line) }, 'warn')
const connection = await connect(kubeconfig)
const gaps = monitorEventLoopDelay({ resolution: 1 })
const before = process.cpuUsage()
const started = performance.now()
gaps.enable()
const reads = kinds.flatMap((kind) => kind.reads)
const { synced } = clusterOn(connection, { reads, metrics: metricsOf(), log, clock: systemClock })
await synced
const { user, system } = process.cpuUsage(before)
process.send?.({ ms: performance.now() - started, cpuMs: (user + system) / 1_000, gapMs: gaps.max / 1e6 })
