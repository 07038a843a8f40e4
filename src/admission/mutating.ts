import type { ClusterReader, Found, KubeObject, Readers, Ref, Resource, Stored, Where } from '../cluster/port.ts'
import { isTree, type JsonSchema, type Tree } from '../schema.ts'
import { bareTexts, inQuotes } from './bare-texts.ts'
import type { DraftChange, Raw } from './change.ts'
import {
  type Aside,
  type Audit,
  adviceOf,
  drop,
  isRefusal,
  type Mutation,
  type MutationAnswer,
  type Refusal,
  type Remotes,
  toldBy,
  toldIn,
} from './mutation.ts'
import { Patch, type Reason } from './patch.ts'
import { isExempt } from './rule.ts'
import { onlyLetsGo, wasTerminating } from './terminating.ts'
import { isUnanswered, NOTHING_TO_SAY, type Verdict, type Violation } from './verdict.ts'

/** A field that is removed even if no mutation runs or one refuses: a clear password, an approval on create (W-4, W-7). */
export interface Removal extends Reason {
  /** Its JSON pointer, or a function that finds its pointers in the object as it was sent. */
  readonly path: string | ((object: Tree) => readonly string[])
  readonly on: 'write' | 'create'
  /** Refuses a removed field of a wrong type, which the API server's schema no longer sees. */
  readonly misfit?: Refusal
}

/** The parts of a kind that change an object. */
export interface MutatingParts<T extends KubeObject> {
  readonly resource: Resource<T>
  readonly removals?: readonly Removal[]
  readonly mutate?: readonly Mutation<T>[]
}

/** What a kind's mutations may use beside the readers. */
export interface MutationContext extends Remotes {
  /** The state of the object after the edits of other kinds. */
  readonly edited?: Edited
}
interface Edited {
  readonly patch: Patch
  readonly isPassed: boolean
}
/** Must run before the first edit, since an edited object differs from the stored one. */
export function editedBefore(raw: Raw): Edited {
  return { patch: new Patch(isTree(raw.object) ? raw.object : {}), isPassed: onlyLetsGo(raw) }
}

interface LookUps {
  readonly readers: Readers
  readonly remotes: Remotes
}

export async function mutate<T extends KubeObject>(
  { resource, removals = [], mutate: mutations = [] }: MutatingParts<T>,
  raw: Raw,
  { readers, edited = editedBefore(raw), ...remotes }: MutationContext & { readonly readers: Readers },
): Promise<Verdict> {
  if (raw.operation === 'DELETE' || !isTree(raw.object)) return NOTHING_TO_SAY
  const { patch, isPassed } = edited
  const due = placesOf(removals, raw.object, raw.operation)
  const refused = wasTerminating(raw) ? removed(due, patch) : removedUntilFit(resource, due, raw.object, patch)
  const given = isPassed ? undefined : draftOf(resource, raw)
  const mutated =
    given === undefined
      ? unquoted(resource, isPassed ? undefined : raw.object)
      : await mutateDraft(mutations, given, patch, { readers, remotes })
  const violations = [...refused, ...mutated.violations]
  if (given === undefined || violations.length > 0) removed(due, patch)
  return { ...mutated, violations, patch: patch.operations }
}

interface RemovalPlace extends Removal {
  readonly path: string
}
/** Searches before any edit, since one field may lead to another. */
function placesOf(removals: readonly Removal[], object: Tree, operation: Raw['operation']): readonly RemovalPlace[] {
  const due = removals.filter(({ on }) => on === 'write' || operation === 'CREATE')
  return due.flatMap((removal) => {
    const { path } = removal
    const paths = typeof path === 'string' ? [path] : path(object)
    return paths.map((path) => ({ ...removal, path }))
  })
}

/** Removes without a refusal: a password on a terminating object, for example, is of no use in any form. */
function removed(due: readonly RemovalPlace[], patch: Patch): readonly Violation[] {
  for (const each of due) patch.carryOut(drop(each.path), each)
  return []
}

/** The schema refuses the object and names the wrong type, but does not say that quotes are missing. */
function unquoted({ schema }: { readonly schema: JsonSchema }, given: unknown): Verdict {
  const object = withoutStatus(given)
  if (!isTree(object)) return NOTHING_TO_SAY
  const warnings = bareTexts(object, schema)
    .map((bare) => `${bare.path}: ${inQuotes(bare)}`)
    .sort()
  return { ...NOTHING_TO_SAY, warnings }
}

/** A removed field may be the only one of a wrong type. Without it the object is a valid draft again, so the mutations run. */
function removedUntilFit<T extends KubeObject>(
  { isDraft }: Resource<T>,
  due: readonly RemovalPlace[],
  object: Tree,
  patch: Patch,
): readonly Violation[] {
  for (const each of due) {
    if (isDraft(object)) return []
    patch.carryOut(drop(each.path), each)
    if (isDraft(object)) return each.misfit === undefined ? [] : refusedBy(each.misfit)
  }
  return []
}

/** A refusal does not stop other mutations: the author sees all at once (W-13), and under `warn` the object is stored (UX-3). */
async function mutateDraft<T>(
  mutations: readonly Mutation<T>[],
  given: DraftChange<T>,
  patch: Patch,
  context: LookUps,
): Promise<Verdict> {
  const violations: Violation[] = []
  const warnings: string[] = []
  const told: Aside[] = []
  let audit: Audit | undefined
  try {
    for (const mutation of mutations) {
      if (isExempt(mutation, given) || mutation.when?.(given) === false) continue
      const pending = askMutation(mutation, given, context)
      const answer = pending instanceof Promise ? await pending : pending // most answer at once
      told.push(toldIn(answer))
      if (isRefusal(answer)) {
        violations.push(...refusedBy(answer))
        continue
      }
      const advice = adviceOf(answer)
      const by = advice.warnings === undefined ? mutation : undefined
      for (const edit of advice.edits) patch.carryOut(edit, by)
      warnings.push(...(advice.warnings ?? []))
      if (advice.audit !== undefined) audit = { ...audit, ...advice.audit }
    }
  } catch (cause) {
    if (isUnanswered(cause)) return { ...NOTHING_TO_SAY, violations, unanswered: cause, ...toldBy(told) }
    throw cause
  }
  return { ...NOTHING_TO_SAY, violations, warnings, ...(audit && { audit }), ...toldBy(told) }
}

const refusedBy = ({ refuse, findings }: Refusal): Violation[] =>
  findings.map((finding) => ({ ...finding, rule: refuse }))

function draftOf<T extends KubeObject>({ isDraft }: Resource<T>, raw: Raw): DraftChange<T> | undefined {
  const { operation, object, oldObject, ...request } = raw
  const [next, prev] = [withoutStatus(object), withoutStatus(oldObject)]
  if (operation === 'DELETE' || !isDraft(next)) return undefined
  return { ...request, operation, next, ...(isDraft(prev) && { prev }) }
}

/** The API server drops the status, so no schema refuses an invalid one. */
function withoutStatus(object: unknown): unknown {
  if (!isTree(object) || object.status === undefined) return object
  const { status: _, ...written } = object
  return written
}

/**
 * A refusal after a look-up, or an edit because of a missing object, counts only after a live read. Otherwise a new
 * object would count as missing, and a repaired one as broken (SV-7).
 */
export function askMutation<T>(
  { edits }: Mutation<T>,
  given: DraftChange<T>,
  { readers: { cached, live }, remotes }: LookUps,
): MutationAnswer | Promise<MutationAnswer> {
  const memory = new Memory(cached)
  const answer = edits(given, memory, remotes)
  if (!(answer instanceof Promise)) return answer
  return answer.then((cached) => {
    const isDoubtful = memory.hasMissed || isRefusal(cached) || adviceOf(cached).doubtful === true
    return isDoubtful ? edits(given, live, remotes) : cached
  })
}

/** A cached reader that notes whether an answer was empty. */
class Memory implements ClusterReader {
  hasMissed = false
  readonly #cached: ClusterReader

  constructor(cached: ClusterReader) {
    this.#cached = cached
  }

  async get<T extends KubeObject>(of: Resource<T>, ref: Ref): Promise<Found<T> | undefined> {
    const found = await this.#cached.get(of, ref)
    this.hasMissed ||= found === undefined
    return found
  }

  async list<T extends KubeObject>(of: Resource<T>, where: Where): Promise<readonly Found<T>[]> {
    const found = await this.#cached.list(of, where)
    this.hasMissed ||= found.length === 0
    return found
  }

  dryRun(...asked: Parameters<ClusterReader['dryRun']>): Promise<Stored> {
    return this.#cached.dryRun(...asked)
  }
}
