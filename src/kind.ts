import type { Brew, Change, Raw } from './admission/change.ts'
import type { Door } from './admission/door.ts'
import { certain, type Judged, judge } from './admission/judge.ts'
import { drop, isRefusal, type Mutation, type Refusal } from './admission/mutation.ts'
import { Patch } from './admission/patch.ts'
import { effectOf, type Rule, type RuleWords } from './admission/rule.ts'
import { NOTHING_TO_SAY, sentence, type Verdict, type Violation } from './admission/verdict.ts'
import type { Gvr, KubeObject, Readers, Resource } from './cluster/port.ts'
import { Fault } from './faults.ts'
import { isTree, type JsonSchema } from './schema.ts'

/** What a kind looks up: rights, caches and indexes come from it. */
export type Read = KeptRead | LiveRead
export interface KeptRead {
  readonly resource: Gvr
  /** In memory by list and watch, with an index for each label: a look-up by another label would walk through all. */
  readonly kept: { readonly byLabels: readonly string[]; readonly without?: readonly string[] }
}
export interface LiveRead {
  readonly resource: Gvr
  readonly kept?: undefined
  readonly asks: readonly ('get' | 'list')[]
}

/** What must leave an object even where no mutation runs, or one refuses: a clear password, an approval of nobody (W-4, W-7). */
export interface Removal {
  readonly id: string
  readonly path: string
  readonly on: 'write' | 'create'
}

export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean' | 'date'
  readonly path: string
}

export interface Definition {
  readonly description: string
  readonly shortNames: readonly string[]
  readonly columns: readonly Column[]
}

export interface Parts<T extends KubeObject> {
  readonly resource: Resource<T>
  readonly definition?: Definition // of a CRD of ours; absent for kinds that belong to others
  readonly doors: readonly Door[]
  readonly reads?: readonly Read[]
  readonly removals?: readonly Removal[]
  readonly mutate?: readonly Mutation<T>[]
  readonly validate?: readonly Rule<T>[]
}

/** What the machine sees of a kind: its type is closed over, so that a list of kinds is a plain array. */
export interface Kind {
  readonly resource: Gvr & { readonly schema: JsonSchema }
  readonly definition?: Definition
  readonly doors: readonly Door[]
  readonly reads: readonly Read[]
  readonly mutations: readonly { readonly id: string; readonly says: string }[]
  readonly rules: readonly RuleWords[]
  mutate(raw: Raw, readers: Readers): Promise<Verdict>
  validate(raw: Raw, readers: Readers): Promise<Verdict>
}

export function defineKind<T extends KubeObject>(parts: Parts<T>): Kind {
  const { resource, definition, doors, reads = [], mutate: mutations = [], validate: rules = [] } = parts
  return {
    resource,
    ...(definition && { definition }),
    doors,
    reads,
    mutations,
    rules,
    mutate: (raw, readers) => mutate(parts, raw, readers),
    validate: (raw, readers) => validate(parts, raw, readers),
  }
}

async function mutate<T extends KubeObject>(
  { resource, removals = [], mutate: mutations = [] }: Parts<T>,
  raw: Raw,
  readers: Readers,
): Promise<Verdict> {
  if (raw.operation === 'DELETE' || !isTree(raw.object)) return NOTHING_TO_SAY
  const patch = new Patch(raw.object)
  const given = isGoing(raw) ? undefined : brewOf(resource, raw)
  const said = given === undefined ? NOTHING_TO_SAY : await brew(mutations, given, patch, readers)
  if (given === undefined || said.violations.length > 0) carryOutRemovals(removals, raw, patch)
  return { ...said, patch: patch.operations }
}

/** A refusal stops nothing: all are told at once (W-13), and where they only warn the object travels on (UX-3). */
async function brew<T>(
  mutations: readonly Mutation<T>[],
  given: Brew<T>,
  patch: Patch,
  readers: Readers,
): Promise<Verdict> {
  const cluster = certain(readers)
  const violations: Violation[] = []
  try {
    for (const { when, edits } of mutations) {
      if (when?.(given) === false) continue
      const said = edits(given, cluster)
      const answer = said instanceof Promise ? await said : said // most need not wait
      if (isRefusal(answer)) violations.push(...refusedBy(answer))
      else for (const edit of answer) patch.carryOut(edit)
    }
  } catch (cause) {
    if (cause instanceof Fault && cause.retry) return { ...NOTHING_TO_SAY, violations, unanswered: cause }
    throw cause
  }
  return { ...NOTHING_TO_SAY, violations }
}

function carryOutRemovals(removals: readonly Removal[], { operation }: Raw, patch: Patch): void {
  for (const { on, path } of removals) if (on === 'write' || operation === 'CREATE') patch.carryOut(drop(path))
}

const refusedBy = ({ refuse, findings }: Refusal): Violation[] =>
  findings.map((finding) => ({ ...finding, rule: refuse }))

function brewOf<T extends KubeObject>({ isDraft }: Resource<T>, raw: Raw): Brew<T> | undefined {
  const { object, oldObject, operation, ...asked } = raw
  if (operation === 'DELETE' || !isDraft(object)) return undefined
  return {
    ...asked,
    operation,
    next: object,
    ...(isDraft(oldObject) && { prev: oldObject }),
  }
}

async function validate<T extends KubeObject>(parts: Parts<T>, raw: Raw, readers: Readers): Promise<Verdict> {
  if (isGoing(raw)) return NOTHING_TO_SAY
  const { resource, validate: rules = [] } = parts
  const change = changeOf(resource, raw)
  if (change !== undefined) return verdictOf(await judge(rules, change, readers), raw)
  const fresh = raw.operation === 'UPDATE' ? changeOf(resource, { ...raw, operation: 'CREATE' }) : undefined
  if (fresh === undefined)
    return {
      ...NOTHING_TO_SAY,
      warnings: [`not checked: ${NOT_OUR_SHAPE}`],
      unfit: 'object',
    }
  const writes = rules.filter(({ on }) => on === 'write')
  return {
    ...verdictOf(await judge(writes, fresh, readers), raw),
    unfit: 'oldObject',
  }
}

/** Version skew: a later API server schema may let pass what this process does not know (CV-8). */
const NOT_OUR_SHAPE = 'the object does not have the shape that this version of tars-admission knows'

function verdictOf({ found, unanswered }: Judged, { profile }: Raw): Verdict {
  const { refuse = [], warn = [] } = Object.groupBy(found, ({ rule }) => effectOf(rule, profile))
  return {
    patch: [],
    violations: refuse,
    warnings: warn.map(sentence),
    ...(unanswered && { unanswered }),
  }
}

function changeOf<T extends KubeObject>({ is }: Resource<T>, raw: Raw): Change<T> | undefined {
  const { object, oldObject, operation, ...asked } = raw
  if (operation === 'DELETE') return is(oldObject) ? { ...asked, operation, prev: oldObject } : undefined
  if (operation === 'CREATE') return is(object) ? { ...asked, operation, next: object } : undefined
  return is(object) && is(oldObject) ? { ...asked, operation, next: object, prev: oldObject } : undefined
}

/** By the stored object: what the author writes into this field does not make an object go (W-7). */
function isGoing({ operation, oldObject }: Raw): boolean {
  const metadata = operation === 'UPDATE' && isTree(oldObject) ? oldObject.metadata : undefined
  return isTree(metadata) && Boolean(metadata.deletionTimestamp)
}
