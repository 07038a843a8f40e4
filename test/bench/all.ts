import { besideGo } from './beside-go.ts'
import { besidePepr } from './beside-pepr.ts'
import { creates } from './creates.ts'
import { crowd } from './crowd.ts'
import { daemonSetPods } from './daemonset-pods.ts'
import { endurance } from './endurance.ts'
import { fleet } from './fleet.ts'
import { large } from './large.ts'
import { lists } from './lists.ts'
import { memory } from './memory.ts'
import { nacosFleet } from './nacos-fleet.ts'
import { nodeMatching } from './node-matching.ts'
import { patchedFleet } from './patched-fleet.ts'
import { patchesMemory } from './patches-memory.ts'
import type { Measurement } from './setting.ts'
import { start } from './start.ts'
import { sync } from './sync.ts'
import { tails } from './tails.ts'
import { throughput } from './throughput.ts'
import { tunnelIngresses } from './tunnel-ingresses.ts'
import { workerMemory } from './worker-memory.ts'

/** In the order of the table. */
export const ALL: readonly Measurement[] = [
  start,
  memory,
  throughput,
  crowd,
  tails,
  large,
  daemonSetPods,
  nodeMatching,
  patchesMemory,
  besidePepr,
  besideGo,
  endurance,
  creates,
  lists,
  fleet,
  workerMemory,
  sync,
  patchedFleet,
  nacosFleet,
  tunnelIngresses,
]
