import type { Built } from '../cluster/port.ts'
import { isNamed, refOf } from '../cluster/stored.ts'
import type { Action, ApplyAction, CreateAction, Performed } from './action.ts'
import { type Adopting, adopted } from './adoption.ts'
import { type ActionWriter, digestOf, performed, versionOf } from './apply.ts'
import { comparedByDryRun } from './dry-run-comparison.ts'

export interface TurnWriterParts extends Omit<Adopting, 'writer'> {
  /** Counts an apply that stored nothing although the comparison called for it (WK-4). */
  readonly countFutile?: () => void
}
export type Write = (action: Action) => Promise<Performed>

/** Built once for a controller; what it returns is called at the beginning of each turn. */
export function writerWith(parts: TurnWriterParts): (writer: ActionWriter) => Write {
  const futile = new FutileApplies()
  return (writer) => {
    const own = new OwnVersions()
    return async (action) => {
      const current = own.current(action)
      const result =
        current.do === 'apply' ? await applied(current, { ...parts, writer }, futile) : await performed(current, writer)
      own.note(current, result)
      return result
    }
  }
}

async function applied(
  action: ApplyAction,
  parts: TurnWriterParts & Adopting,
  futile: FutileApplies,
): Promise<Performed> {
  if (futile.has(action)) return { outcome: 'needless' }
  const ready = await adopted(action, parts)
  if ('outcome' in ready) return ready
  const known = await comparedByDryRun(ready, parts.live)
  if (known?.outcome === 'needless') futile.add(ready)
  if (known !== undefined) return known
  const result = await performed(ready, parts.writer)
  if (!isFutile(ready, result)) return result
  parts.countFutile?.()
  futile.add(ready)
  return { outcome: 'needless' }
}

const isFutile = (action: ApplyAction, { outcome, answer }: Performed) =>
  outcome === 'done' && isNamed(answer) && answer.metadata.resourceVersion === versionOf(action)

/** The applies that are not asked or sent again while object and desired body stay as they are (NC-STS-43). */
class FutileApplies {
  readonly #applies = new Map<string, string>()

  has(action: ApplyAction): boolean {
    const { uid = '' } = action.over?.metadata ?? {}
    return this.#applies.has(uid) && this.#applies.get(uid) === markOf(action)
  }

  /** Forgets the oldest one beyond the limit. */
  add(action: ApplyAction): void {
    const { uid = '' } = action.over?.metadata ?? {}
    this.#applies.delete(uid)
    this.#applies.set(uid, markOf(action))
    const [oldest] = this.#applies.keys()
    if (oldest !== undefined && this.#applies.size > MOST_FUTILE) this.#applies.delete(oldest)
  }
}
const MOST_FUTILE = 10_000
const markOf = (action: ApplyAction) => `${versionOf(action)} ${digestOf(action.object)}`

interface OwnAnswer {
  /** The versions that this turn has replaced. */
  readonly replaced: readonly string[]
  readonly object: Built
}
/**
 * Within one turn a plan rests on one version of each object, and each of its writes makes another one. A later action
 * that expects a version that the turn itself replaced goes on with its last answer.
 */
class OwnVersions {
  readonly #answers = new Map<string, OwnAnswer>()

  current(action: Action): Action {
    const own = this.#answers.get(keyOf(action))
    const expected = expectedBy(action)
    if (own === undefined || expected === undefined || !own.replaced.includes(expected)) return action
    if (action.do === 'apply') return { ...action, over: own.object }
    const { resourceVersion } = own.object.metadata
    return action.do === 'create' || resourceVersion === undefined ? action : expecting(action, resourceVersion)
  }

  note(action: Action, { outcome, answer }: Performed): void {
    const expected = expectedBy(action)
    if (outcome !== 'done' || expected === undefined || !isNamed(answer)) return
    const replaced = this.#answers.get(keyOf(action))?.replaced ?? []
    this.#answers.set(keyOf(action), { replaced: [...replaced, expected], object: answer })
  }
}

type Expecting = Exclude<Action, ApplyAction | CreateAction>
function expectedBy(action: Action): string | undefined {
  if (action.do === 'create') return undefined
  return action.do === 'apply' ? versionOf(action) : action.expects.resourceVersion
}
function expecting<A extends Expecting>(action: A, resourceVersion: string): A {
  return { ...action, expects: { ...action.expects, resourceVersion } }
}
function keyOf(action: Action): string {
  const { of } = action
  const { namespace, name } = 'ref' in action ? action.ref : refOf(action.object)
  return `${of.plural}.${of.group} ${namespace}/${name}`
}
