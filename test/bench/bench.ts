import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import { type Contender, contender } from './child.ts'
import { drive, post } from './driver.ts'
import { creation } from './templates.ts'

/** `npm run bench`: what a review costs, beside servers that do less, in one run. `-- --quick` for a rough idea. */
const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 3 : 15
const SECONDS = quick ? 1 : 2
const WARM_UP_SECONDS = quick ? 2 : 5
const CONNECTIONS = 16
const NAMES = { bare: 'reads and parses', ours: 'ours, 100 TTemplates', crowded: 'ours, 100,000 TTemplates' } as const

interface Measured {
  readonly perSecond: number
  readonly cpuMicros: number // of the server, for one review
}

const folder = await mkdtemp(join(tmpdir(), 'tars-admission-bench-'))
const ca = await certificates(folder)
const contenders = {
  bare: await contender('./bare-server.ts', folder),
  ours: await contender('./our-server.ts', folder, '100'),
  crowded: await contender('./our-server.ts', folder, '100000'),
}
try {
  const rounds = await race()
  process.stdout.write(report(rounds))
} finally {
  for (const each of Object.values(contenders)) each.stop()
  await rm(folder, { recursive: true })
}

async function certificates(to: string): Promise<string> {
  const authority = await issueAuthority(new Date())
  const leaf = await issueLeaf(authority, ['127.0.0.1'], new Date())
  const files = { 'tls.crt': leaf.cert, 'tls.key': leaf.key, 'ca.crt': authority.cert }
  for (const [name, content] of Object.entries(files)) await writeFile(join(to, name), content, { mode: 0o600 })
  return authority.cert
}

type Round = Readonly<Record<keyof typeof contenders, Measured>>

/** In turn, so that whatever else the machine does meets them all alike. */
async function race(): Promise<readonly Round[]> {
  for (const each of Object.values(contenders)) await measure(each, WARM_UP_SECONDS)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await measure(contenders.bare, SECONDS)
    const ours = await measure(contenders.ours, SECONDS)
    const crowded = await measure(contenders.crowded, SECONDS)
    rounds.push({ bare, ours, crowded })
  }
  return rounds
}

/** The two reviews that a create of a 4 KB TTemplate brings, by turns. */
async function measure(server: Contender, seconds: number): Promise<Measured> {
  const requests = [
    post('/mutating', creation('child', 'root', { bytes: 4_096, labelled: false })),
    post('/validating', creation('child', 'root', { bytes: 4_096, labelled: true })),
  ]
  const before = await server.cpu()
  const { requests: many, perSecond } = await drive({
    port: server.port,
    ca,
    requests,
    connections: CONNECTIONS,
    seconds,
  })
  return { perSecond, cpuMicros: ((await server.cpu()) - before) / many }
}

interface Row {
  readonly id: string
  readonly what: string
  readonly goal: string
  readonly ratio: (round: Round) => number
}

function report(rounds: readonly Round[]): string {
  const rows: readonly Row[] = [
    {
      id: 'PF-1',
      what: 'reviews/s, mutate + validate of a 4 KB TTemplate, beside a server that reads and parses',
      goal: '≥ 0.92',
      ratio: ({ ours, bare }) => ours.perSecond / bare.perSecond,
    },
    {
      id: 'PF-1 (CPU)',
      what: 'the same by CPU time: that of the bare server for one review, by ours',
      goal: '–',
      ratio: ({ ours, bare }) => bare.cpuMicros / ours.cpuMicros,
    },
    {
      id: 'PF-11',
      what: 'CPU time of a review with 100,000 TTemplates in the store, by that with 100',
      goal: '≤ 1.10',
      ratio: ({ ours, crowded }) => crowded.cpuMicros / ours.cpuMicros,
    },
  ]
  const table = rows.map(
    ({ id, what, goal, ratio }) => `| ${id} | ${what} | ${goal} | ${spreadOf(rounds.map(ratio), 2)} |`,
  )
  const figure = (name: keyof Round) => {
    const rate = spreadOf(
      rounds.map((round) => round[name].perSecond),
      0,
    )
    const cpu = spreadOf(
      rounds.map((round) => round[name].cpuMicros),
      0,
    )
    return `| ${NAMES[name]} | ${rate} | ${cpu} |`
  }
  const where = `Node ${process.versions.node}, ${availableParallelism()} cores (${cpus()[0]?.model}), ${CONNECTIONS} connections, HTTP/1.1 over TLS`
  return [
    `${ROUNDS} rounds of ${SECONDS} s each, in turn; median (least … most). ${where}; driver on the same machine.\n`,
    '| id | ratio | goal | measured |',
    '|---|---|---|---|',
    ...table,
    '',
    '| server | reviews/s | CPU µs for one review |',
    '|---|---|---|',
    ...(['bare', 'ours', 'crowded'] as const).map(figure),
    '',
  ].join('\n')
}

function spreadOf(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN).toFixed(digits)
  return `${at(0.5)} (${at(0)} … ${at(1)})`
}
