import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Target } from './target.ts'
import { targets } from './targets.ts'
import { type Job, Thread } from './thread.ts'

/**
 * `npm run fuzz`: every target, on all cores, with 100,000 reviews among its cases. `-- --reviews NUMBER` tries more or
 * fewer, `--seed`, `--only` and `--path` bring a finding back.
 */
const { values } = parseArgs({
  options: {
    reviews: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string', default: '' },
    path: { type: 'string', default: '' },
  },
})
const [reviews, seed] = [Number(values.reviews), Number(values.seed)]
const chosen = targets.filter(({ name }) => name.includes(values.only))

/** Long enough that the start of a server does not count, short enough that every core is busy to the end. */
const MOST_IN_A_JOB = 10_000

interface Tried {
  readonly target: Target
  readonly job: Job
  readonly ms: number
  readonly findings: readonly string[]
}

const started = performance.now()
const jobs = chosen.flatMap((target) => jobsOf(target).map((job) => ({ target, job }))).reverse() // the slow ones first
const cores = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, workThrough)
const tried = (await Promise.all(cores)).flat()
report()

/** Of the seeds that follow, one for each job: what a job finds is found again by its seed alone. */
function jobsOf({ name, share }: Target): readonly Job[] {
  if (values.path !== '') return [{ name, seed, runs: 1, path: values.path }]
  const runs = Math.max(1, Math.round((reviews * share) / 100))
  return Array.from({ length: Math.ceil(runs / MOST_IN_A_JOB) }, (_, i) => {
    return { name, seed: seed + i, runs: Math.min(MOST_IN_A_JOB, runs - i * MOST_IN_A_JOB) }
  })
}

async function workThrough(): Promise<Tried[]> {
  const thread = new Thread()
  const done: Tried[] = []
  for (let next = jobs.shift(); next !== undefined; next = jobs.shift()) {
    const result = await thread.try(next.job)
    for (const finding of result.findings) print(`\n✗ ${next.target.name}\n  seed ${next.job.seed}: ${finding}\n`)
    done.push({ ...next, ...result })
  }
  await thread.end()
  return done
}

function report(): void {
  const rows = chosen.map((target) => {
    const ours = tried.filter((each) => each.target === target)
    const sum = (of: (each: Tried) => number) => ours.reduce((total, each) => total + of(each), 0)
    return {
      target,
      runs: sum(({ job }) => job.runs),
      ms: sum(({ ms }) => ms),
      found: sum(({ findings }) => findings.length),
    }
  })
  for (const { target, runs, ms, found } of rows)
    print(`${found === 0 ? '✓' : '✗'} ${String(runs).padStart(8)} ${seconds(ms).padStart(8)}  ${target.name}`)
  const many = rows.filter(({ target }) => target.ofReviews).reduce((total, { runs }) => total + runs, 0)
  const failed = rows.filter(({ found }) => found > 0).length
  print(`\n${many} reviews in ${seconds(performance.now() - started)}, seed ${seed}`)
  if (failed > 0) print('one again: npm run fuzz -- --only "NAME" --seed SEED --path PATH')
  // As vitest says it, for whoever adds up.
  print(`      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${rows.length - failed} passed (${rows.length})`)
  process.exitCode = failed > 0 ? 1 : 0
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
