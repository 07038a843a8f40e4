import type { Due } from '../admission/consequence.ts'
import type { Deadline } from '../admission/deadline.ts'
import {
  type Built,
  type ClusterReader,
  type ClusterWriter,
  type KubeObject,
  type MergeOptions,
  Refused,
  type RemoveOptions,
} from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import { sha256Of } from '../kube/digests.ts'
import { driftIn } from '../kube/drift.ts'
import type { Status } from '../kube/status.ts'
import { isTree, type Tree } from '../schema.ts'
import type { Action, ApplyAction, MergeAction, Outcome, PatchAction, Performed, RemoveAction } from './action.ts'
import { isOfTerminating } from './terminating-namespaces.ts'

export type ActionWriter = Pick<ClusterWriter, 'apply' | 'create' | 'merge' | 'patch' | 'remove'>
type MarkWriter = Pick<ClusterWriter, 'merge'>

/** Carries out one action. Every result is an outcome: nothing is thrown. */
export function performed(action: Action, writer: ActionWriter): Promise<Performed> {
  switch (action.do) {
    case 'apply':
      return applied(action, writer)
    case 'create':
      return outcomeOf(writer.create(action.of, action.object))
    case 'merge':
      return outcomeOf(merged(action, writer))
    case 'patch':
      return outcomeOf(patched(action, writer))
    case 'remove':
      return outcomeOf(writer.remove(action.of, action.ref, removeOptionsOf(action)))
  }
}

/** The field manager of the worker. */
export const MANAGER = 'tars-controller'

/**
 * Compares before it writes: an equal apply stores nothing and still costs as much as a write (WK-4). Only what was read
 * is written over: an apply without a resourceVersion would adopt a foreign object (WK-12).
 */
async function applied(action: ApplyAction, writer: Pick<ClusterWriter, 'apply'>): Promise<Performed> {
  const { of, object, over, manager = MANAGER, compares } = action
  if (compares === 'dry run') return outcomeOf(writer.apply(of, versioned(action), { manager }))
  const digest = digestOf(object)
  if (over !== undefined && appliedTo(over) === digest && driftIn(object, over) === undefined) return NEEDLESS
  const annotations = { ...object.metadata.annotations, [APPLIED]: digest }
  const stamped = { ...object, metadata: { ...object.metadata, annotations } }
  return outcomeOf(writer.apply(of, versioned({ object: stamped, ...(over && { over }) }), { manager }))
}
const NEEDLESS: Performed = { outcome: 'needless' }

type Versioned = Pick<ApplyAction, 'object' | 'over'>
/** The body of an apply that counts for one version alone. */
export function versioned({ object, over }: Versioned): Built {
  return { ...object, metadata: { ...object.metadata, resourceVersion: versionOf({ over }) } }
}

/** The resourceVersion that an apply counts for. */
export const versionOf = ({ over }: { readonly over?: ApplyAction['over'] | undefined }) =>
  over?.metadata.resourceVersion ?? ABSENT
/** The resourceVersion of an object that must not exist. */
export const ABSENT = '1'

/** The digest of what was applied last: it finds fields that have left the desired object. */
const APPLIED = 'tars.io/Applied'
export const appliedTo = ({ metadata }: KubeObject) => metadata.annotations?.[APPLIED]

/** The same for objects whose fields differ in order alone. */
export function digestOf(desired: Tree): string {
  const text = JSON.stringify(desired, (_, value: unknown) => (isTree(value) ? sorted(value) : value))
  return sha256Of(text).slice(0, 16)
}
const sorted = (tree: Tree) => Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)))

/** A stale version is a 409, where a failed `test` would be a 422 like bad content (TR-R1). */
function patched({ of, ref, operations, expects, subresource }: PatchAction, writer: Pick<ClusterWriter, 'patch'>) {
  const { resourceVersion, uid } = expects
  const version = resourceVersion === undefined ? [] : [replacing('/metadata/resourceVersion', resourceVersion)]
  const sent = [...version, replacing('/metadata/uid', uid), ...operations]
  return writer.patch(of, ref, sent, { ...(subresource && { subresource }) })
}
const replacing = (path: string, value: string) => ({ op: 'replace', path, value }) as const

function removeOptionsOf({ expects, orphan }: RemoveAction): RemoveOptions {
  return { preconditions: expects, ...(orphan && { propagationPolicy: 'Orphan' }) }
}

/** Adds the expected uid and version to the patch, so that the API server enforces them. */
function merged({ of, ref, patch, expects, subresource }: MergeAction, writer: MarkWriter, sent: MergeOptions = {}) {
  const metadata = { ...(isTree(patch.metadata) && patch.metadata), ...expects }
  return writer.merge(of, ref, { ...patch, metadata }, { ...sent, ...(subresource && { subresource }) })
}

export async function outcomeOf(write: Promise<unknown>): Promise<Performed> {
  try {
    const answer = await write
    return { outcome: 'done', ...(isTree(answer) && { answer }) }
  } catch (thrown) {
    const cause = refusalIn(thrown)
    return { outcome: outcomeBy(cause), message: cause instanceof Error ? cause.message : String(cause), cause }
  }
}

function outcomeBy(cause: unknown): Outcome {
  if (cause instanceof Refused) return outcomeOfRefusal(cause.status)
  const code = cause instanceof Fault ? cause.code : undefined
  if (code === 'GONE') return 'gone'
  return code === 'CONFLICT' ? 'overtaken' : 'failed'
}

/** What is refused because its namespace is terminating goes with it, and is settled (WK-11). */
function outcomeOfRefusal(status: Status): Outcome {
  if (isOfTerminating(status)) return 'needless'
  return status.reason === 'AlreadyExists' ? 'overtaken' : 'refused'
}

/**
 * The API server answers 500 about one object: to an apply with two items of one key (WK-13), where a webhook for its kind
 * does not answer (WK-9), or where it is too large for the store. Other objects can be written (WK-10).
 */
function refusalIn(cause: unknown): unknown {
  const inner = cause instanceof Fault ? cause.cause : undefined
  return inner instanceof Refused && inner.status.code === 500 ? inner : cause
}

export interface ApplyContext {
  readonly live: ClusterReader
  readonly deadline: Deadline
}
/** Runs before the response is sent. A failure is a fault that can be retried. */
export type CarryOut = (intents: readonly Due[], context: ApplyContext) => Promise<void>

/** The labels of one mark, with few values each: a kind, a rule, an outcome. */
export interface Counted {
  readonly kind: string
  readonly rule: string
  readonly outcome: (typeof COUNTED_AS)[Outcome]
}
/** The label values of the metric, which docs/operations.md explains. */
const COUNTED_AS = {
  done: 'set',
  gone: 'gone',
  needless: 'needless',
  overtaken: 'conflict',
  refused: 'failed',
  failed: 'failed',
} as const satisfies Readonly<Record<Outcome, string>>

const AT_ONCE = 8

/**
 * Idempotent: a retried review sets the marks that are still missing (TC-S3). After the first failure no further write
 * begins, and those in flight are awaited, so that nothing is written after the response.
 */
export function carryOutWith(writer: MarkWriter, count: (mark: Counted) => void = () => undefined): CarryOut {
  return async (intents, context) => {
    const waiting = [...intents]
    let failed: Fault | undefined
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined && !failed; next = waiting.shift()) {
        const { outcome, cause } = await mark(next, writer, context)
        count({ kind: next.action.of.kind, rule: next.rule, outcome: COUNTED_AS[outcome] })
        if (!ENDS_WELL.includes(outcome)) failed ??= unmarked(next.action, outcome, cause)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    if (failed !== undefined) throw failed
  }
}
const ENDS_WELL: readonly Outcome[] = ['done', 'gone', 'needless']

/** Another writer came first, so the mark is decided once more. An object that is gone needs no mark. */
async function mark({ action, again }: Due, writer: MarkWriter, context: ApplyContext): Promise<Performed> {
  const first = await marked(action, writer, context)
  if (first.outcome !== 'overtaken') return first
  try {
    const decided = await again(context.live)
    return decided === undefined ? { outcome: 'needless' } : await marked(decided.action, writer, context)
  } catch (cause) {
    return { outcome: 'failed', cause }
  }
}

/** Asks for metadata alone, since an object may be megabytes. */
async function marked(action: MergeAction, writer: MarkWriter, { deadline }: ApplyContext): Promise<Performed> {
  const timeoutMs = deadline.left()
  if (timeoutMs <= 0) return { outcome: 'failed', cause: new Fault('DEADLINE', 'the time is up') }
  return outcomeOf(merged(action, writer, { timeoutMs, metadataOnly: true }))
}

/** Only the code is passed on: the API server's message may reveal our permissions. */
function unmarked({ ref }: MergeAction, outcome: Outcome, cause: unknown): Fault {
  const why = cause instanceof Fault ? cause.message : 'the API server does not take it'
  const reason = outcome === 'overtaken' ? 'somebody else keeps writing it' : why
  return new Fault('CLUSTER_UNREACHABLE', `cannot mark ${ref.name}: ${reason}`, { cause })
}
