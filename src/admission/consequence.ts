import type { ClusterReader, Gvr, KubeObject, Ref } from '../cluster/port.ts'
import type { Tree } from '../schema.ts'
import type { Asked, Change, Create, Delete, Exempt, Update } from './change.ts'
import type { IsTerminating } from './namespace.ts'
import { isExempt, isExemptAtEnd } from './rule.ts'

/** A mark on another object, as a JSON merge patch. It may be of no use in the end: the request can still fail (TC-S6). */
export interface Intent {
  readonly of: Gvr
  readonly ref: Ref
  /** With the resourceVersion that was read, so that nobody's write is overwritten. */
  readonly patch: Tree
  /** Decided once more by what is stored now, after somebody else wrote the object; nothing if it is not called for. */
  readonly again: (live: ClusterReader) => Promise<Intent | undefined>
}

/** With the id of what it follows from, for the count. */
export interface Due extends Intent {
  readonly rule: string
}

export interface Outcome<I extends Intent = Intent> {
  readonly intents: readonly I[]
  readonly warnings: readonly string[]
}

/** What follows for other objects when a change is let in. Whatever decides a write is looked up live (SV-7). */
export type Consequence<T> = ConsequenceOn<'write', Create<T> | Update<T>> | ConsequenceOn<'delete', Delete<T>>

interface ConsequenceOn<On, Given> {
  readonly id: string
  readonly says: string // for docs/rules.md
  readonly on: On
  readonly exempt?: readonly Exempt[]
  readonly when?: (given: Given) => boolean
  readonly follow: (given: Given, cluster: ClusterReader) => Promise<Outcome>
}

const NOTHING: Outcome = { intents: [], warnings: [] }

interface Around {
  readonly cluster: ClusterReader
  readonly isTerminating: IsTerminating
}

export async function outcomeOf<T extends KubeObject>(
  consequences: readonly Consequence<T>[],
  change: Change<T>,
  around: Around,
): Promise<Outcome<Due>> {
  const outcomes = await Promise.all(consequences.map((each) => dueBy(each, change, around)))
  return {
    intents: outcomes.flatMap(({ intents }) => intents),
    warnings: outcomes.flatMap(({ warnings }) => warnings),
  }
}

async function dueBy<T extends KubeObject>(
  consequence: Consequence<T>,
  change: Change<T>,
  around: Around,
): Promise<Outcome<Due>> {
  const { intents, warnings } = await follow(consequence, change, around)
  return { intents: intents.map((intent) => ({ ...intent, rule: consequence.id })), warnings }
}

/** No cast: `on` narrows the consequence, `operation` the change. */
function follow<T extends KubeObject>(
  consequence: Consequence<T>,
  change: Change<T>,
  around: Around,
): Outcome | Promise<Outcome> {
  if (isExempt(consequence, change)) return NOTHING
  if (consequence.on === 'delete') return change.operation === 'DELETE' ? put(consequence, change, around) : NOTHING
  return change.operation === 'DELETE' ? NOTHING : put(consequence, change, around)
}

async function put<On, Given extends Asked>(
  consequence: ConsequenceOn<On, Given>,
  given: Given,
  { cluster, isTerminating }: Around,
): Promise<Outcome> {
  if (consequence.when?.(given) === false) return NOTHING
  if (isExemptAtEnd(consequence, given) && (await isTerminating())) return NOTHING
  return consequence.follow(given, cluster)
}
