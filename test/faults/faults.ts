import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { apiServerFaults } from './api-server.ts'
import { bodies } from './bodies.ts'
import { burst } from './burst.ts'
import { idleGaps } from './idle-gaps.ts'
import { overload } from './overload.ts'
import { plainPorts } from './plain-ports.ts'
import { type Driver, type Pace, type Row, type State, stateOf } from './row.ts'
import { slowCallers } from './slow-callers.ts'
import { slowLookUps } from './slow-look-ups.ts'
import { SAYING_SECONDS, soak } from './soak.ts'
import { renewals } from './swaps.ts'
import { workerFaults } from './worker.ts'

/** `npm run faults`: what a cluster does to webhook and worker, and what becomes of it. docs/withstand.md tells of each. */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false }, // for CI
    only: { type: 'string', multiple: true, default: [] },
    soak: { type: 'string' }, // seconds
  },
})
const WRONG_USAGE = 2
const QUICK_SOAK_SECONDS = SAYING_SECONDS
const SOAK_SECONDS = 3_600
const pace: Pace = {
  quick: values.quick,
  soakSeconds: Number(values.soak ?? (values.quick ? QUICK_SOAK_SECONDS : SOAK_SECONDS)),
}
if (!(pace.soakSeconds > 0)) refuse(`--soak takes a number of seconds above 0, and not "${values.soak}"`)

/** Waits nearly all of its time, so the others do not wait for it. */
const BESIDE: Readonly<Record<string, Driver>> = { 'idle-gaps': idleGaps }
/** One after the other, for they measure. */
const IN_TURN: Readonly<Record<string, Driver>> = {
  burst,
  'slow-callers': slowCallers,
  'plain-ports': plainPorts,
  bodies,
  overload,
  'slow-look-ups': slowLookUps,
  renewals,
  ...(pace.quick ? {} : { 'api-server': apiServerFaults, worker: workerFaults }), // in their short form suites of test:cluster
  soak,
}

const NAMES = Object.keys({ ...BESIDE, ...IN_TURN })
const unknown = values.only.find((name) => !NAMES.includes(name))
if (unknown !== undefined) {
  const where = pace.quick ? ' in the quick form' : ''
  refuse(`--only takes the name of a driver, and "${unknown}" is none${where}; there are ${NAMES.join(', ')}`)
}

const isWanted = ([name]: readonly [string, Driver]) => values.only.length === 0 || values.only.includes(name)
const beside = Object.entries(BESIDE).filter(isWanted).map(rowsOf)
const inTurn: (readonly Row[])[] = []
for (const each of Object.entries(IN_TURN).filter(isWanted)) inTurn.push(await rowsOf(each))
const rows = [...inTurn, ...(await Promise.all(beside))].flat()

const many = (state: State) => rows.filter((row) => stateOf(row) === state).length
const failed = many('FAILED')
process.stdout.write(`${table()}\n\n${many('missed')} missed (figures of this machine, see docs/withstand.md)\n`)
process.stdout.write(`${rows.length - failed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(WRONG_USAGE)
}

/** A driver that fails has found something, too. */
async function rowsOf([name, driver]: readonly [string, Driver]): Promise<readonly Row[]> {
  process.stderr.write(`${name} …\n`)
  try {
    return await driver(pace)
  } catch (error) {
    const measured = error instanceof Error ? (error.stack ?? error.message).replaceAll('\n', ' ') : String(error)
    return [{ id: name, what: 'the driver itself', goal: 'runs to its end', measured, holds: false }]
  }
}

function table(): string {
  const when = new Date().toISOString().slice(0, 10)
  const where = `Node ${process.versions.node}, ${availableParallelism()} cores (${cpus()[0]?.model}), which the drivers share`
  const line = (row: Row) => `| ${row.id} | ${row.what} | ${row.goal} | ${row.measured} | ${stateOf(row)} |`
  return [`${when}, ${where}.\n`, '| id | what | goal | measured | |', '|---|---|---|---|---|', ...rows.map(line)].join(
    '\n',
  )
}
