import { onTestFinished } from 'vitest'
import { MemoryCluster } from '../../src/cluster/memory/memory-cluster.ts'
import type { Built, Cluster } from '../../src/cluster/port.ts'
import { asCluster } from '../../src/process/memory-cluster.ts'
import type { Notice } from '../../src/reconcile/action.ts'
import { Auditor, type AuditorParts } from '../../src/reconcile/auditor.ts'
import { ALWAYS } from '../../src/reconcile/leadership.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { HandClock } from '../../src/timing/hand-clock.ts'
import { SETTINGS } from './answerer-parts.ts'
import { clusterOf, NOW } from './clusters.ts'
import { kinds } from './kinds.ts'
import { rested } from './working.ts'

const PASS_MS = 600_000

/** An auditor that has run its first pass, on a clock that goes on by passes. */
export async function audited(
  objects: readonly Built[] | MemoryCluster,
  wishes: (cluster: Cluster) => Partial<AuditorParts> = () => ({}),
) {
  const memory = objects instanceof MemoryCluster ? objects : clusterOf(...objects)
  const cluster = asCluster(memory, [])
  const clock = new HandClock(new Date(NOW))
  const notices: Notice[] = []
  const lines: string[] = []
  const counts: Record<string, number> = {}
  const auditor = new Auditor({
    ...{ kinds, cluster, clock, namespaces: [''], leadership: ALWAYS, settings: SETTINGS, profile: 'seed' },
    log: logTo({ write: (line) => lines.push(line) }, 'warn'),
    notify: (notice) => notices.push(notice) > 0,
    count: (rule, by) => {
      counts[rule] = (counts[rule] ?? 0) + by
    },
    ...wishes(cluster),
  })
  onTestFinished(() => auditor.stop())
  let passes = 0
  async function pass() {
    passes += 1
    do await rested()
    while (clock.goOn(passes * PASS_MS - 1))
    return { notices: notices.splice(0), counts: { ...counts } }
  }
  auditor.start()
  return { memory, auditor, lines, counts, clock, first: await pass(), pass }
}
