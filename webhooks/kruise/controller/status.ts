import { byAge, type NodeOfPods } from './pods-of-nodes.ts'

/** The counters of OpenKruise: of each node the oldest pod counts (PATCH-CTL-19). */
export function countersOf(nodes: readonly NodeOfPods[]) {
  const meant = nodes.filter(({ fitness }) => fitness.shouldRun)
  const oldest = meant.flatMap(({ pods }) => [...pods].sort(byAge).slice(0, 1))
  const available = oldest.filter(({ isAvailable }) => isAvailable).length
  return {
    desiredNumberScheduled: meant.length,
    currentNumberScheduled: oldest.length,
    numberMisscheduled: nodes.filter(({ fitness, pods }) => !fitness.shouldRun && pods.length > 0).length,
    numberReady: oldest.filter(({ isReady }) => isReady).length,
    updatedNumberScheduled: oldest.filter(({ isNew }) => isNew).length,
    numberAvailable: available,
    numberUnavailable: meant.length - available,
  }
}
