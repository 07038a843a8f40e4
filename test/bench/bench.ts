import { parseArgs } from 'node:util'
import { NotBuilt } from '../cluster/go-modules.ts'
import { ALL } from './all.ts'
import { type Measurement, type Setting, set } from './setting.ts'
import { notMeasured, type Row, tableOf, whereAndWhen } from './table.ts'

/**
 * `npm run bench`: what the webhook costs, each figure beside what does less, or did it before, in the same run and in
 * turns. `-- --quick` for a rough idea in four minutes, `-- --only PF-15,PF-8` for some of it,
 * `-- --only PATCH-T-45 --minutes 1440` for a soak of a day.
 */
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, minutes: { type: 'string' } },
})
const only = values.only?.split(',')
const wanted = ALL.filter(({ ids }) => only === undefined || ids.some((id) => only.includes(id)))

process.stdout.write(await measured())
process.exit() // without it, Node once waited for ever, at full load, for the handles of a run that was over

async function measured(): Promise<string> {
  await using setting = await set(values.quick, values.minutes)
  const rows: Row[] = []
  for (const each of wanted) {
    process.stderr.write(`${each.ids.join(', ')} …\n`)
    rows.push(...(await rowsOf(each, setting)))
  }
  const form = values.quick ? 'quick form, a rough idea only' : 'full form'
  return `${whereAndWhen(new Date())}; ${form}; median (least … most)\n\n${tableOf(rows)}\n`
}

/** What needs Go is left out where there is none. */
async function rowsOf({ ids, measure }: Measurement, setting: Setting): Promise<readonly Row[]> {
  try {
    return await measure(setting)
  } catch (cause) {
    if (!(cause instanceof NotBuilt)) throw cause
    return ids.map((id) => notMeasured(id, cause))
  }
}
