import { parseArgs } from 'node:util'
import { NotBuilt } from '../cluster/go-modules.ts'
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
import { nodeMatching } from './node-matching.ts'
import { patchesMemory } from './patches-memory.ts'
import { type Measurement, set } from './setting.ts'
import { start } from './start.ts'
import { notMeasured, type Row, tableOf, whereAndWhen } from './table.ts'
import { tails } from './tails.ts'
import { throughput } from './throughput.ts'
import { workerMemory } from './worker-memory.ts'

/**
 * `npm run bench`: what the webhook costs, each figure beside what does less, or did it before, in the same run and in
 * turns. `-- --quick` for a rough idea in two minutes, `-- --only PF-15,PF-8` for some of it.
 */
const ALL = [
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
]

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
const only = values.only?.split(',')
const wanted = ALL.filter(({ ids }) => only === undefined || ids.some((id) => only.includes(id)))

await using setting = await set(values.quick)
const rows: Row[] = []
for (const each of wanted) {
  process.stderr.write(`${each.ids.join(', ')} …\n`)
  rows.push(...(await rowsOf(each)))
}
const form = values.quick ? 'quick form, a rough idea only' : 'full form'
process.stdout.write(`${whereAndWhen(new Date())}; ${form}; median (least … most)\n\n${tableOf(rows)}\n`)

/** What needs Go is left out where there is none. */
async function rowsOf({ ids, measure }: Measurement): Promise<readonly Row[]> {
  try {
    return await measure(setting)
  } catch (cause) {
    if (!(cause instanceof NotBuilt)) throw cause
    return ids.map((id) => notMeasured(id, cause))
  }
}
