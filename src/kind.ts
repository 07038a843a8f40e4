import { isDeepStrictEqual } from 'node:util'
import { bareTexts, inQuotes } from './admission/bare-texts.ts'
import type { Change, DraftChange, Exempt, Raw } from './admission/change.ts'
import { type Consequence, followUpOf } from './admission/consequence.ts'
import type { Door } from './admission/door.ts'
import { bareDeletion, type Fit, fitOf } from './admission/fit.ts'
import { askMutation, type Judged, type Judging, judge } from './admission/judge.ts'
import { type Audit, adviceOf, drop, isRefusal, type Means, type Mutation, type Refusal } from './admission/mutation.ts'
import { isTerminatingIn, NAMESPACE } from './admission/namespace.ts'
import { overruled } from './admission/overruled.ts'
import { Patch, type Reason } from './admission/patch.ts'
import { effectOf, isExempt, type Rule, type RuleWords } from './admission/rule.ts'
import { askTwins } from './admission/twins.ts'
import {
  type Enforce,
  MOST_FINDINGS,
  NOTHING_TO_SAY,
  sentence,
  type Verdict,
  type Violation,
} from './admission/verdict.ts'
import type { Gvr, KubeObject, Readers, Resource } from './cluster/port.ts'
import { Fault } from './faults.ts'
import { isTerminating } from './kube/metadata.ts'
import { isTree, type JsonSchema, type Tree } from './schema.ts'

/** What a kind looks up: rights, caches and indexes come from it. */
export type Read = KeptRead | LiveRead
export interface KeptRead {
  readonly resource: Gvr
  /** In memory by list and watch, with an index for each label: a look-up by none of them would walk through all. */
  readonly kept: {
    readonly byLabels: readonly string[]
    readonly without?: readonly string[]
    /** Nothing but metadata is listed and watched, which is all that a look-up asks for. */
    readonly metadataOnly?: true
  }
}
export interface LiveRead {
  readonly resource: Gvr
  readonly kept?: undefined
  readonly asks: readonly ('get' | 'list')[]
}

/** What a kind's consequences write: rights come from it. */
export interface Write {
  readonly resource: Gvr
  readonly verbs: readonly 'patch'[]
}

/** What must leave an object even where no mutation runs, or one refuses: a clear password, an approval of nobody (W-4, W-7). */
export interface Removal extends Reason {
  /** Where it stands, or how to find that in what was sent. */
  readonly path: string | ((object: Tree) => readonly string[])
  readonly on: 'write' | 'create'
  /** What is said when nothing but its type was wrong: no schema will see that any more. */
  readonly misfit?: Refusal
}

export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean' | 'date'
  readonly path: string
}

/**
 * Who of a cluster's people may write objects of a kind, and so who may read them. Authors: bearers of role edit, read by
 * those of view. Controllers: no person, read by all of them. Admins: bearers of role admin, who alone read them, too.
 */
export type Writers = 'authors' | 'controllers' | 'admins'

export interface Definition {
  readonly description: string
  readonly writers: Writers
  readonly shortNames: readonly string[]
  readonly columns: readonly Column[]
  readonly subresources?: {
    readonly status?: true
    readonly scale?: { readonly replicas: string; readonly statusReplicas: string; readonly selector: string }
  }
}

export interface Parts<T extends KubeObject> {
  readonly resource: Resource<T>
  readonly definition?: Definition // of a CRD of ours; absent for kinds that belong to others
  readonly doors: readonly Door[]
  readonly reads?: readonly Read[]
  readonly writes?: readonly Write[]
  readonly removals?: readonly Removal[]
  readonly mutate?: readonly Mutation<T>[]
  readonly validate?: readonly Rule<T>[]
  readonly consequences?: readonly Consequence<T>[]
}

/** What the machine sees of a kind: its type is closed over, so that a list of kinds is a plain array. */
export interface Kind {
  readonly resource: Gvr & { readonly schema: JsonSchema }
  readonly definition?: Definition
  readonly doors: readonly Door[]
  readonly reads: readonly Read[]
  readonly writes: readonly Write[]
  readonly mutations: readonly RuleSummary[]
  readonly rules: readonly RuleWords[]
  readonly consequences: readonly RuleSummary[]
  mutate(raw: Raw, readers: Readers, means: Means): Promise<Verdict>
  validate(raw: Raw, readers: Readers, how?: How): Promise<Verdict>
  /** What the CEL twins say of an object on its way into the store; `prev` when it is an update (CV-1). */
  identity(next: unknown, prev?: unknown): readonly Violation[]
}
interface How {
  readonly enforce: Enforce
}
interface RuleSummary extends Reason {
  readonly says: string
  readonly on?: string // of a consequence
  readonly exempt?: readonly Exempt[]
  readonly refuses?: RuleWords
}

export function defineKind<T extends KubeObject>(parts: Parts<T>): Kind {
  const { resource, definition, doors, writes = [] } = parts
  const { mutate: mutations = [], validate: rules = [], consequences = [] } = parts
  const reads = [...(parts.reads ?? []), ...([...rules, ...consequences].some(asksNamespace) ? [OF_NAMESPACE] : [])]
  return {
    resource,
    ...(definition && { definition }),
    doors,
    reads,
    writes,
    mutations,
    rules,
    consequences,
    mutate: (raw, readers, means) => mutate(parts, raw, { readers, means }),
    validate: (raw, readers, how = { enforce: 'refuse' }) => {
      const isNamespaceTerminating = isTerminatingIn(readers.live, raw.namespace)
      return validate(parts, raw, { ...readers, ...how, isNamespaceTerminating })
    },
    identity: (next, prev) => askTwins(resource, rules, { next, prev }),
  }
}

/** Whether its namespace is terminating decides who is exempt from it (tars.md 1.5). */
const asksNamespace = ({ on, exempt = [] }: Pick<RuleWords, 'on' | 'exempt'>) =>
  on === 'delete' && exempt.includes('KUBE')
const OF_NAMESPACE: LiveRead = { resource: NAMESPACE, asks: ['get'] }

async function mutate<T extends KubeObject>(
  { resource, removals = [], mutate: mutations = [] }: Parts<T>,
  raw: Raw,
  hands: MutationContext,
): Promise<Verdict> {
  if (raw.operation === 'DELETE' || !isTree(raw.object)) return NOTHING_TO_SAY
  const patch = new Patch(raw.object)
  const due = placesOf(removals, raw.object, raw.operation)
  const isPassed = isLetGo(raw)
  const refused = wasGoing(raw) ? removed(due, patch) : removedUntilFit(resource, due, raw.object, patch)
  const given = isPassed ? undefined : draftOf(resource, raw)
  const said =
    given === undefined
      ? unquoted(resource, isPassed ? undefined : raw.object)
      : await mutateDraft(mutations, given, patch, hands)
  const violations = [...refused, ...said.violations]
  if (given === undefined || violations.length > 0) removed(due, patch)
  const { operations, overrulings } = patch
  if (overrulings === undefined) return { ...said, violations, patch: operations }
  return { ...said, violations, patch: operations, overruled: overruled(overrulings, resource.schema, raw) }
}

interface RemovalPlace extends Removal {
  readonly path: string
}
/** Looked for before anything is edited, since one may lead to another. */
function placesOf(removals: readonly Removal[], object: Tree, operation: Raw['operation']): readonly RemovalPlace[] {
  const due = removals.filter(({ on }) => on === 'write' || operation === 'CREATE')
  return due.flatMap((removal) => {
    const { path } = removal
    const paths = typeof path === 'string' ? [path] : path(object)
    return paths.map((path) => ({ ...removal, path }))
  })
}

/** Nothing is refused: a password on an object being deleted, for one, is of no use whatever it is. */
function removed(due: readonly RemovalPlace[], patch: Patch): readonly Violation[] {
  for (const each of due) patch.carryOut(drop(each.path), each)
  return []
}

/** The schema refuses it, and says which type is wrong; that quotes are missing it does not say. */
function unquoted({ schema }: Pick<Kind['resource'], 'schema'>, given: unknown): Verdict {
  const object = withoutStatus(given)
  if (!isTree(object)) return NOTHING_TO_SAY
  const warnings = bareTexts(object, schema)
    .map((bare) => `${bare.path}: ${inQuotes(bare)}`)
    .sort()
  return { ...NOTHING_TO_SAY, warnings }
}

/** What has to leave may be all that is of a wrong type: without it the rest is mutated as ever, for the schema will pass it. */
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

/** What a mutation may reach for. */
interface MutationContext {
  readonly readers: Readers
  readonly means: Means
}

/** A refusal stops nothing: all are told at once (W-13), and where they only warn the object travels on (UX-3). */
async function mutateDraft<T>(
  mutations: readonly Mutation<T>[],
  given: DraftChange<T>,
  patch: Patch,
  { readers, means }: MutationContext,
): Promise<Verdict> {
  const violations: Violation[] = []
  const warnings: string[] = []
  let audit: Audit | undefined
  try {
    for (const mutation of mutations) {
      if (isExempt(mutation, given) || mutation.when?.(given) === false) continue
      const said = askMutation(mutation, given, readers, means)
      const answer = said instanceof Promise ? await said : said // most need not wait
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
    if (isUnanswered(cause)) return { ...NOTHING_TO_SAY, violations, unanswered: cause }
    throw cause
  }
  return { ...NOTHING_TO_SAY, violations, warnings, ...(audit && { audit }) }
}

/** A look-up that failed. Too much to do is another matter: the whole request is sent away and comes again (SV-12). */
function isUnanswered(cause: unknown): cause is Fault {
  return cause instanceof Fault && cause.retry && cause.code !== 'OVERLOADED'
}

const refusedBy = ({ refuse, findings }: Refusal): Violation[] =>
  findings.map((finding) => ({ ...finding, rule: refuse }))

function draftOf<T extends KubeObject>({ isDraft }: Resource<T>, raw: Raw): DraftChange<T> | undefined {
  const { operation, object, oldObject, ...asked } = raw
  const [next, prev] = [withoutStatus(object), withoutStatus(oldObject)]
  if (operation === 'DELETE' || !isDraft(next)) return undefined
  return { ...asked, operation, next, ...(isDraft(prev) && { prev }) }
}

/** The API server drops what an author says of the status, so whatever is wrong with it no schema refuses. */
function withoutStatus(object: unknown): unknown {
  if (!isTree(object) || object.status === undefined) return object
  const { status: _, ...written } = object
  return written
}

async function validate<T extends KubeObject>(parts: Parts<T>, raw: Raw, readers: Judging & How): Promise<Verdict> {
  if (isLetGo(raw)) return NOTHING_TO_SAY
  const fit = fitOf(parts.resource, raw)
  const verdict = await judged(parts, fit, raw, readers)
  if (fit.unfit === undefined) return verdict
  return { ...verdict, warnings: [...verdict.warnings, ...fit.warnings], unfit: fit.unfit }
}

async function judged<T extends KubeObject>(
  parts: Parts<T>,
  { change, isAlone }: Fit<T>,
  raw: Raw,
  readers: Judging & How,
): Promise<Verdict> {
  const { validate: rules = [] } = parts
  if (change === undefined) return judgedBare(rules, raw, readers)
  const asked = isAlone ? rules.filter(({ on }) => on === 'write') : rules
  const verdict = verdictOf(await judge(asked, change, readers), raw)
  return isAlone ? verdict : withConsequences(parts, change, verdict, readers)
}

async function judgedBare<T extends KubeObject>(rules: readonly Rule<T>[], raw: Raw, readers: Judging) {
  const deletion = bareDeletion(raw)
  if (deletion === undefined) return NOTHING_TO_SAY
  const asked = rules.flatMap((rule) => (rule.on === 'deleteByMetadata' ? [rule] : []))
  return verdictOf(await judge(asked, deletion, readers), raw)
}

/** What is refused has no consequences, what is only warned of has all of them (UX-3). A dry run only tells of them, so it asks what is at hand. */
async function withConsequences<T extends KubeObject>(
  { consequences = [] }: Parts<T>,
  change: Change<T>,
  verdict: Verdict,
  { cached, live, enforce, isNamespaceTerminating }: Judging & How,
): Promise<Verdict> {
  if (change.operation === 'UPDATE' && isTerminating(change.prev)) return verdict // it is never in force again
  const isLetIn = enforce === 'warn' || (verdict.violations.length === 0 && verdict.unanswered === undefined)
  if (consequences.length === 0 || !isLetIn) return verdict
  try {
    const around = { cluster: change.dryRun ? cached : live, isNamespaceTerminating }
    const { intents, warnings } = await followUpOf(consequences, change, around)
    return { ...verdict, warnings: [...verdict.warnings, ...warnings], intents: change.dryRun ? [] : intents }
  } catch (cause) {
    if (!isUnanswered(cause)) throw cause
    return change.dryRun ? verdict : { ...verdict, unanswered: cause }
  }
}

function verdictOf({ found, unanswered }: Judged, { profile }: Raw): Verdict {
  const { refuse = [], warn = [] } = Object.groupBy(found, ({ rule }) => effectOf(rule, profile))
  return {
    ...NOTHING_TO_SAY,
    violations: refuse.slice(0, MOST_FINDINGS + 1), // the last one tells that there are more
    warnings: warn.slice(0, MOST_FINDINGS).map((violation) => sentence(violation)),
    ...(unanswered && { unanswered }),
  }
}

/** Finalizers can always be removed, and nothing else of an object being deleted changes unreviewed (W-7). */
function isLetGo(raw: Raw): boolean {
  return wasGoing(raw) && isDeepStrictEqual(contentOf(raw.object), contentOf(raw.oldObject))
}

/** All that an author writes but finalizers and owners; the rest of the metadata is the API server's. */
function contentOf(object: unknown): unknown {
  if (!isTree(object)) return object
  const { status: _, metadata, ...content } = object
  const { labels, annotations } = isTree(metadata) ? metadata : {}
  return { content, labels: labels ?? {}, annotations: annotations ?? {} }
}

/** By the stored object: what the author writes into this field does not make an object go (W-7). */
function wasGoing({ operation, oldObject }: Raw): boolean {
  const metadata = operation === 'UPDATE' && isTree(oldObject) ? oldObject.metadata : undefined
  return isTree(metadata) && Boolean(metadata.deletionTimestamp)
}
