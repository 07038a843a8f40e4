import { imageFlags } from '../support/image.ts'
import { confd } from '../sync/confd.ts'
import type { Measurement, Setting } from './setting.ts'
import { fillStore, NotReloaded, type Syncer, type SyncFigures, type SyncSetting, syncRun } from './sync-run.ts'
import { syncStore } from './sync-store.ts'
import { MEGA, quotients, type Row, spreadOf } from './table.ts'

/** By how many resources there are. */
const GOALS = new Map([
  [1, { start: '≤ 500 ms', bytes: '≤ 90 MB', all: '–' }],
  [100, { start: '≤ 900 ms', bytes: '≤ 100 MB', all: '≤ 4 ×' }],
  [1_000, { start: '≤ 4 ×', bytes: '≤ 150 MB', all: '≤ 3 ×' }],
])

/** `tars-admission sync` beside the real confd, with a real etcd. */
export const sync: Measurement = {
  ids: ['sync'],
  async measure(setting) {
    const syncers = syncersOf(setting, await confd())
    const sizes = setting.quick ? [1, 100] : [...GOALS.keys()]
    await using store = await syncStore(setting.folder)
    const rows: Row[] = []
    for (const resources of sizes) {
      await fillStore(store, resources)
      const { folder, quick } = setting
      const runs = await turns(syncers, { folder, store, resources, ...(quick ? QUICK : FULL) })
      rows.push(...rowsOf(runs, resources))
    }
    return rows
  },
}

const FULL = { rounds: 5, ones: 10, alls: 3 }
const QUICK = { rounds: 1, ones: 5, alls: 2 }

type Each<T> = Readonly<Record<'confd' | 'ours' | 'hasty', T>>

function syncersOf({ bundle }: Setting, theirs: string): Each<Syncer> {
  const command = [process.execPath, ...imageFlags(), bundle.program, 'sync']
  return {
    confd: { command: [theirs], env: process.env },
    ours: { command, env: bundle.env },
    hasty: { command: [...command, '-debounce=0'], env: bundle.env },
  }
}

async function turns(syncers: Each<Syncer>, { rounds, ...setting }: SyncSetting & { readonly rounds: number }) {
  const runs: Each<SyncFigures[]> = { confd: [], ours: [], hasty: [] }
  for (let round = 0; round < rounds; round += 1) {
    runs.confd.push(await wholeRun(syncers.confd, setting))
    runs.ours.push(await syncRun(syncers.ours, setting))
    runs.hasty.push(await syncRun(syncers.hasty, setting))
  }
  return runs
}

/** confd loses changes on a busy machine, and tries none again: then its run is begun again. */
async function wholeRun(syncer: Syncer, setting: SyncSetting): Promise<SyncFigures> {
  for (let left = 2; ; left -= 1) {
    try {
      return await syncRun(syncer, setting)
    } catch (error) {
      if (left === 0 || !(error instanceof NotReloaded)) throw error
      process.stderr.write(`confd: ${error.message}; once more\n`)
    }
  }
}

function rowsOf(runs: Each<readonly SyncFigures[]>, resources: number): readonly Row[] {
  const goals = GOALS.get(resources)
  const many = resources === 1 ? 'one resource' : `${resources.toLocaleString('en')} resources`
  const [one, all] = [valuesOf(runs, (run) => run.one), valuesOf(runs, (run) => run.all)]
  const start = valuesOf(runs, ({ startMs }) => startMs)
  const bytes = valuesOf(runs, (run) => run.bytes / MEGA)
  const watches = valuesOf(runs, (run) => run.watches)
  const more = one.ours.map((value, i) => value - (one.confd[i] ?? Number.NaN))
  const rows: readonly (readonly [what: string, goal: string, measured: string, beside: string])[] = [
    [`put → reloaded, one of ${many}, above what confd takes`, '≤ 30 ms', spreadOf(more, 0, ' ms'), told(one, ' ms')],
    ['the same with `-debounce=0`, by what confd takes', '≤ 3 ×', times(one.hasty, one.confd), ''],
    [
      `put → all of ${many} reloaded, by what confd takes`,
      goals?.all ?? '–',
      times(all.ours, all.confd),
      told(all, ' ms'),
    ],
    [`start → all of ${many} rendered and reloaded`, goals?.start ?? '–', started(start), told(start, ' ms')],
    ['RSS after that', goals?.bytes ?? '–', spreadOf(bytes.ours, 0, ' MB'), told(bytes, ' MB')],
    [`watches on the store for ${many}`, '1', spreadOf(watches.ours, 0), told(watches, '')],
  ]
  return rows.map(([what, goal, measured, beside]) => ({ id: 'sync', what, goal, measured, beside }))
}

function valuesOf(runs: Each<readonly SyncFigures[]>, of: (run: SyncFigures) => number | readonly number[]) {
  return { confd: runs.confd.flatMap(of), ours: runs.ours.flatMap(of), hasty: runs.hasty.flatMap(of) }
}

const times = (ours: readonly number[], theirs: readonly number[]) => spreadOf(quotients(ours, theirs), 1, ' ×')
const started = ({ ours, confd: theirs }: Each<readonly number[]>) =>
  `${spreadOf(ours, 0, ' ms')}, ${times(ours, theirs)}`

function told({ confd: theirs, ours, hasty }: Each<readonly number[]>, unit: string): string {
  const [us, at0, them] = [ours, hasty, theirs].map((values) => spreadOf(values, 0, unit))
  return `${us}, with \`-debounce=0\` ${at0}; confd ${them}`
}
