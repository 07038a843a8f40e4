import type { Ran } from '../host/commands.ts'
import type { Host } from '../host/host.ts'
import { run } from '../pass/commands.ts'
import { beside } from '../pass/commit.ts'
import type { Outcome } from '../pass/outcome.ts'
import { type How, pass } from '../pass/pass.ts'
import type { ParsedTemplates } from '../pass/render.ts'
import { type Pairs, type Seen, seenBy } from '../pass/values.ts'
import type { Report } from '../report.ts'
import type { TemplateResource } from '../resources/resource.ts'
import { ReloadGroups, type Reloads } from './reloads.ts'
import type { Slots } from './slots.ts'
import type { State } from './state.ts'

export interface Working {
  readonly host: Host
  readonly how: How
  readonly templates: ParsedTemplates
  readonly report: Report
  readonly slots: Slots
  readonly reloads: Reloads
  /** The next resource waits until the reload of this one is over, as in confd without -watch (SY-PIPE-16). */
  readonly isInTurn: boolean
  /** Ends passes before they swap. */
  readonly stopping: AbortSignal
  /** Ends reloads. */
  readonly ending: AbortSignal
}

export interface Job {
  readonly state: State
  /** `undefined`: the store could not be read, and there is a reload to be made up for. */
  readonly pairs: Pairs | undefined
}

export interface Done {
  readonly state: State
  readonly outcome: Outcome
  /** Of the reload, if one was owed. */
  readonly ran: Ran | undefined
}

/** Passes of resources over one read; each is told of as soon as it is over. */
export async function batch(jobs: readonly Job[], working: Working, tell: (done: Done) => void): Promise<void> {
  const seen = new Map(jobs.map(({ state: { resource }, pairs = [] }) => [resource, seenBy(resource, pairs)]))
  const reload = (resource: TemplateResource) => reloaded(resource, working)
  const groups = new ReloadGroups(
    jobs.map(({ state }) => state.resource),
    working.reloads,
    reload,
  )
  await Promise.all(jobs.map(async (job) => tell(await one(job, seen.get(job.state.resource), groups, working))))
}

async function one(
  { state, pairs }: Job,
  seen: Seen | undefined,
  groups: ReloadGroups,
  working: Working,
): Promise<Done> {
  const { slots, isInTurn, report } = working
  const { resource } = state
  const { outcome, reload } = await slots.hold(async () => {
    const outcome = pairs === undefined ? UNREAD : await passed(resource, seen, working)
    report.passed(resource, outcome)
    if (outcome.did === 'swapped' && resource.reload !== undefined && !working.how.isSyncOnly) state.owesReload = true
    const isLast = groups.isLast(resource)
    const reload = groups.after(resource, isWanted(state, outcome, working))
    if (isInTurn && isLast) await reload
    return { outcome, reload }
  })
  const ran = await reload
  if (ran?.ok === true) {
    state.owesReload = false
    await working.host.files.remove(beside(resource.dest).marker).catch(() => undefined) // a reload too many does no harm
  }
  return { state, outcome, ran }
}
const UNREAD: Outcome = { did: 'unread' }

/** What is owed is owed, also while the next content is wrong. */
function isWanted({ owesReload }: State, { did }: Outcome, { how }: Working): boolean {
  return owesReload && did !== 'stopped' && !how.isNoop && !how.isSyncOnly
}

function passed(resource: TemplateResource, seen: Seen = NOTHING, working: Working): Promise<Outcome> {
  const { report, stopping } = working
  if (seen.shared.length > 0) report.shared(resource, seen.shared)
  const differs = (differences: readonly string[]) => report.differs(resource, differences)
  const checked = (ms: number) => report.checked(resource, ms)
  return pass(resource, { ...working, values: seen.values, signal: stopping, differs, checked })
}
const NOTHING: Seen = { values: new Map(), shared: [] }

/** The marker goes when the reload has worked, so that it survives a crash (SY-FAIL-8). */
async function reloaded(resource: TemplateResource, working: Working): Promise<Ran> {
  const { host, report, ending } = working
  const { reload, dest } = resource
  if (reload === undefined) return NO_RELOAD
  const from = host.clock.tick()
  const ran = await run(reload, { src: dest, dest }, { resource, host, signal: ending })
  report.reloaded(resource, ran, host.clock.tick() - from)
  return ran
}
const NO_RELOAD: Ran = { ok: true, why: '', output: '' }
