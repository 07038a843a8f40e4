import type { Profile } from '../admission/change.ts'
import type { Keeping, Need, Right } from '../cluster/needs.ts'
import type { Built, ClusterWriter, Found, Gvr, KubeObject, Readers, Ref, Resource } from '../cluster/port.ts'
import type { Facts } from '../fact.ts'
import { Fault } from '../faults.ts'
import type { Sample } from '../metric.ts'
import type { Setting, Settings } from '../setting.ts'
import type { Action, Notice, Performed } from './action.ts'

/** What one turn works on: an object, or a group of objects (TConfig). A key never runs twice at once. */
export interface Key extends Ref {
  /** Further fields of a group's key, never joined by a separator (TC-R6). */
  readonly group?: readonly string[]
}
export interface Reference {
  readonly of: Gvr
  readonly key: Key
}

/** A resource whose changes wake keys. The rights to list and watch it, its cache and its queue come from it. */
export interface Watch extends Need {
  /** Changes of one key wait until none came for `quietMs`, at most `atMostMs` (WR-10). */
  readonly gather?: { readonly quietMs: number; readonly atMostMs: number }
  /** A key is not woken by what it wrote itself. */
  readonly exceptOwn?: true
  /** A deleted object waits, in its last state, for the next turn of the keys that it wakes: see Sight. */
  readonly keepsGone?: true
  /** The keys that a change concerns; asked of the old object and of the new one. */
  readonly wakes: (object: KubeObject, among: Index) => readonly Key[]
  /**
   * Asked of a change in place of `wakes`, with the objects of the controller itself: most changes of a Node concern none
   * of them. `wakes` is then asked by a full pass alone.
   */
  readonly wakesOnChange?: (change: TwoStates, own: () => readonly KubeObject[]) => readonly Key[]
}
/** Without `before` the object is new, without `now` it is gone. */
export interface TwoStates {
  readonly before?: KubeObject | undefined
  readonly now?: KubeObject | undefined
}
/** What a turn looks at. */
export interface Sight extends Readers {
  /** The objects of a watch with `keepsGone` that are gone since the last turn of this key, in their last state. */
  gone(of: Gvr): readonly Built[]
}
/** Which keys refer to an object; the machine keeps it up to date from `refersTo`. */
export interface Index {
  referring(to: Reference): readonly Key[]
  all(namespace: string): readonly Key[]
}

/** An action that is no plain write: on an external system, or a read-modify-write. */
export interface Step {
  readonly do: string
  readonly because: string
}
export interface Plan<A = never, M = never> {
  readonly actions: readonly (Action | A)[]
  readonly notices?: readonly Notice[]
  readonly measured?: readonly Sample[]
  /** The key comes again after this time, whatever happens. */
  readonly againInMs?: number
  /**
   * Handed to the next plan of the key, and lost with the object, the key and the process. What is not remembered is
   * forgotten.
   */
  readonly remember?: M
}
/** What a plan knows beside what was observed; nothing of it is looked up. */
export interface Given<M = never> {
  readonly at: Date
  readonly attempt: number
  readonly profile: Profile
  readonly settings: Settings
  readonly facts: Facts
  /** What the last plan of the key remembered. */
  readonly remembered?: M
}
export type Result<A = never> = Performed & { readonly action: Action | A }
export interface PerformContext extends Pick<Given, 'at' | 'settings'> {
  readonly live: Readers['live']
  readonly writer: ClusterWriter
  readonly signal: AbortSignal
}

export interface ControllerParts<T extends KubeObject, S, A extends Step = never, M = never> {
  readonly name: string
  readonly of: Resource<T>
  /** What is kept of its objects; without it they are kept whole. */
  readonly keeps?: Keeping
  /** Whether a change of its objects wakes their keys; every change does when absent. */
  readonly isMeant?: (change: TwoStates) => boolean
  /** The object itself when absent. */
  readonly keyOf?: (object: Found<T>) => Key | undefined
  readonly refersTo?: (object: Found<T>) => readonly Reference[]
  readonly watches: readonly Watch[]
  /** What is looked up and not watched. */
  readonly reads?: readonly Need[]
  /** All that a plan may write: rights come from it, and an action that is not stated here is not carried out. */
  readonly writes: readonly Right[]
  /** The field managers of an earlier controller, whose fields its first applies take over (WK-14). */
  readonly adopts?: Setting<readonly string[]>
  /** All that the plan looks at, in one value; nothing when there is nothing left to do. */
  readonly observe: (key: Key, sight: Sight) => Promise<S | undefined>
  /** Pure. */
  readonly plan: (seen: S, given: Given<M>) => Plan<A, M>
  /** Carries out the steps of a plan. What it throws is a step that failed. */
  readonly perform?: (step: A, context: PerformContext) => Promise<Performed>
  /** What is measured of all objects together, after each turn, and after an object is gone too. */
  readonly counts?: (cached: Readers['cached']) => Promise<readonly Sample[]>
  /** Pure: the status and the events that follow from the results. Carried out last, after a failure too. */
  readonly conclude?: (seen: S, results: readonly Result<A>[], given: Given<M>) => Plan<never, M>
}

/** What the machine sees: types are closed over, so a list of controllers is a plain array. */
export interface Controller {
  readonly name: string
  /** The kind of the objects that its keys are named after. */
  readonly of: Resource<KubeObject>
  readonly watches: readonly Watch[]
  readonly reads: readonly Need[]
  readonly writes: readonly Right[]
  readonly adopts?: Setting<readonly string[]> | undefined
  refersTo(object: KubeObject): readonly Reference[]
  readonly counts?: ((cached: Readers['cached']) => Promise<readonly Sample[]>) | undefined
  turn(key: Key, around: Around): Promise<Turn | undefined>
}
export interface Around extends Given {
  readonly sight: Sight
  /** Stands for the key in the memory of the controller, which remembers nothing without it. */
  readonly cell?: Cell
  /** Absent: nothing is carried out, and the turn answers the plan alone. */
  readonly carryOut?: CarryOutOne
}
/** Gone with the last one who holds it, and what is remembered with it. */
export type Cell = object
export interface CarryOutOne {
  readonly write: (action: Action) => Promise<Performed>
  readonly context: PerformContext
}
export interface Turn {
  readonly actions: readonly (Action | Step)[]
  readonly results: readonly Result<Step>[]
  readonly notices: readonly Notice[]
  readonly measured?: readonly Sample[]
  readonly againInMs?: number
}

export function defineController<T extends KubeObject, S, A extends Step = never, M = never>(
  parts: ControllerParts<T, S, A, M>,
): Controller {
  const { name, of, keeps = {}, isMeant, keyOf = itself, refersTo, watches, reads = [], writes, adopts, counts } = parts
  const memory = new WeakMap<Cell, M>()
  const wakes = (object: KubeObject) => keysOf(of.isDraft(object) ? keyOf(object) : itself(object))
  return {
    name,
    of,
    watches: [{ resource: of, keeps, wakes, ...(isMeant && { wakesOnChange: wokenBy(wakes, isMeant) }) }, ...watches],
    reads,
    writes,
    adopts,
    counts,
    refersTo: (object) => (refersTo !== undefined && of.isDraft(object) ? refersTo(object) : []),
    turn: (key, around) => turn(parts, key, { ...around, memory }),
  }
}

function wokenBy(wakes: (object: KubeObject) => readonly Key[], isMeant: (change: TwoStates) => boolean) {
  return (change: TwoStates): readonly Key[] => {
    const states = isMeant(change) ? [change.before, change.now] : []
    return states.flatMap((state) => (state === undefined ? [] : wakes(state)))
  }
}

const itself = ({ metadata: { namespace = '', name } }: KubeObject): Key => ({ namespace, name })
const keysOf = (key: Key | undefined): readonly Key[] => (key === undefined ? [] : [key])

interface AroundTurn<M> extends Around {
  readonly memory: WeakMap<Cell, M>
}

async function turn<T extends KubeObject, S, A extends Step, M>(
  parts: ControllerParts<T, S, A, M>,
  key: Key,
  { sight, carryOut, memory, cell = {}, ...asked }: AroundTurn<M>,
): Promise<Turn | undefined> {
  const seen = await parts.observe(key, sight)
  const remembered = memory.get(cell)
  const given: Given<M> = { ...asked, ...(remembered !== undefined && { remembered }) }
  const plan = seen && parts.plan(seen, given)
  memory.delete(cell)
  if (seen === undefined || plan === undefined) return undefined
  if (plan.remember !== undefined) memory.set(cell, plan.remember)
  if (carryOut === undefined) return { ...plan, notices: plan.notices ?? [], results: [] }
  const results = await untilOneFails(plan.actions, (action) => carriedOut(action, parts, carryOut))
  const end: Plan<never, M> = parts.conclude?.(seen, results, given) ?? { actions: [] }
  if (end.remember !== undefined) memory.set(cell, end.remember)
  const last = await untilOneFails(end.actions, (action) => carriedOut(action, parts, carryOut))
  return {
    ...plan,
    ...end,
    actions: [...plan.actions, ...end.actions],
    results: [...results, ...last],
    notices: [...(plan.notices ?? []), ...(end.notices ?? [])],
    measured: [...(plan.measured ?? []), ...(end.measured ?? [])],
  }
}

/** What comes behind an action that another writer overtook, or that failed, may rest on it. */
async function untilOneFails<A extends object>(actions: readonly A[], act: (action: A) => Promise<Performed>) {
  const results: (Performed & { readonly action: A })[] = []
  for (const action of actions) {
    if (isLeftOut(action, results.at(-1))) continue
    const result = await act(action)
    results.push({ ...result, action })
    if (result.outcome === 'overtaken') break
  }
  return results
}

function isLeftOut(action: object, last: Performed | undefined): boolean {
  if (last?.outcome === 'failed') return !('apart' in action)
  return last?.outcome === 'refused' && 'follows' in action
}

async function carriedOut<T extends KubeObject, S, A extends Step, M>(
  action: Action | A,
  { name, writes, perform }: ControllerParts<T, S, A, M>,
  { write, context }: CarryOutOne,
): Promise<Performed> {
  if (isWrite(action)) return rightFor(action, writes) ? write(action) : notStated(name, action)
  try {
    return (await perform?.(action, context)) ?? notStated(name, action)
  } catch (error) {
    return { outcome: 'failed', message: error instanceof Fault ? error.message : 'an unexpected error', cause: error }
  }
}

const isWrite = <A extends Step>(action: Action | A): action is Action => 'of' in action

/** The right that an action uses, if one is stated. */
export function rightFor(action: Action, writes: readonly Right[]): Right | undefined {
  const subresource = 'subresource' in action ? action.subresource : undefined
  return writes.find(
    (right) =>
      isSame(right.resource, action.of) && right.subresource === subresource && right.verbs.includes(action.do),
  )
}
/** Whether its plans may bring objects of this resource into being. */
export function makes({ writes }: Pick<Controller, 'writes'>, of: Gvr): boolean {
  return writes.some(
    ({ resource, verbs }) => isSame(resource, of) && verbs.some((verb) => verb === 'apply' || verb === 'create'),
  )
}
export const isSame = (one: Gvr, other: Gvr) => one.group === other.group && one.plural === other.plural

/** A mistake in the code: there is no right for it, so the API server would refuse it too. */
function notStated(name: string, { do: verb }: Step): Performed {
  return { outcome: 'refused', message: `controller ${name} does not state that it may ${verb} this` }
}
