import type { ClusterReader, KubeObject } from '../cluster/port.ts'
import type { Sample } from '../metric.ts'
import { isTree } from '../schema.ts'
import type { Change, Create, Delete, Exempt, Membership, Profile, Raw, RequestInfo, Update } from './change.ts'

export interface Finding {
  readonly path: string
  readonly value?: string | number
  readonly by?: readonly string[] // the conflicting objects or fields
  readonly through?: RuleWords // the rule of another kind that found it, with its messages
  readonly effect?: 'warn' // of this finding alone: the rule knows that it stood before, and does not ratchet it away
}
export type Findings = readonly Finding[]
export type Effect = 'refuse' | 'warn'

interface GivenOn<T> {
  create: Create<T>
  update: Update<T>
  write: Create<T> | Update<T>
  delete: Delete<T>
  /** Runs on every object, whatever its shape (CV-8). */
  deleteByMetadata: Delete<KubeObject>
}
/**
 * The same rule in the words of CEL, carried by the CustomResourceDefinition: it holds even while the webhook is away.
 * For identity and immutability alone, since there is no look-up, no caller and no profile (CV-1).
 */
export interface Cel {
  /** The field whose schema carries the CEL rule: `spec.app`, or empty for the whole object. */
  readonly at: string
  /** The field that the cause names where it is another one: `.metadata.name`. */
  readonly fieldPath?: string
  readonly holds: string
  /** The message as a CEL expression, if it differs between findings. */
  readonly says?: string
  /** Runs on create as well; `oldSelf` is an optional without a value then. */
  readonly optionalOldSelf?: true
}

/** A path without indexes, by which items of one list compare equal: `spec.parts[].name`. */
export const withoutIndexes = (path: string) => path.replaceAll(/\[\d+\]/g, '[]')

/** The value at a path such as `spec.app`, or the object itself. */
export function valueAt(object: unknown, path: string): unknown {
  const steps = path.split('.').filter(Boolean)
  return steps.reduce(
    (holder, step) => (isTree(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined),
    object,
  )
}

/** `on` decides the type of the change that `check` receives: a rule on delete has no `next`. */
export type Rule<T> = {
  [On in keyof GivenOn<T>]: RuleOn<On, GivenOn<T>[On]>
}[keyof GivenOn<T>]

export interface RuleOn<On, Given> {
  readonly id: string // the id of the specification, also in messages, logs, tests and docs
  /** The path of its findings without list indexes, for docs/rules.md. */
  readonly field?: string
  readonly on: On
  /** Invalid when absent; Duplicate is Invalid with a cause of its own. Unavailable: not the object is at fault, and a retry may help. */
  readonly reason?: 'Invalid' | 'Forbidden' | 'Duplicate' | 'Unavailable'
  readonly effect?: Effect | Readonly<Record<Profile, Effect>> // refuse when absent
  readonly exempt?: readonly Exempt[]
  readonly exemptOnUpdate?: readonly Exempt[] // for a rule that exempts no caller on CREATE
  readonly cel?: Cel
  readonly always?: true // not ratcheted (CV-8)
  readonly holds?: true // on create, of what cannot change later: the auditor asks it of stored objects too (WR-8)
  readonly evenInWarn?: true // refuses under --enforce warn too (UX-3); stands first, because the rules stop after 100 findings
  readonly refers?: true // refers to an object that the same file may create, which a dry run does not store
  readonly live?: true // always reads live (SV-7), as every rule on delete does
  readonly cached?: true // a cached answer may refuse: of many objects, which a live read would list for each refusal
  /** What a finding counts as in the metrics of the family, where it refuses. */
  readonly measures?: (finding: Finding, raw: Raw) => readonly Sample[]
  readonly when?: (given: Given) => boolean
  readonly check: (given: Given, cluster: ClusterReader) => Findings | Promise<Findings>
  readonly message: (finding: Finding) => string
  readonly examples?: readonly Finding[] // one for each variant of message and remedy, for docs/rules.md
  readonly remedy: string | ((finding: Finding) => string)
}
export type RuleWords = Omit<RuleOn<string, never>, 'when' | 'check'>

/** Needs no cast: `on` narrows the rule, `operation` the change. */
export function ask<T extends KubeObject>(
  rule: Rule<T>,
  change: Change<T>,
  cluster: ClusterReader,
): Findings | Promise<Findings> {
  switch (rule.on) {
    case 'create':
      return change.operation === 'CREATE' ? checkWhen(rule, change, cluster) : []
    case 'update':
      return change.operation === 'UPDATE' ? checkWhen(rule, change, cluster) : []
    case 'delete':
      return change.operation === 'DELETE' ? checkWhen(rule, change, cluster) : []
    case 'deleteByMetadata':
      return change.operation === 'DELETE' ? checkWhen(rule, change, cluster) : []
    case 'write':
      return change.operation === 'DELETE' ? [] : checkWhen(rule, change, cluster)
  }
}

function checkWhen<On, Given>({ when, check }: RuleOn<On, Given>, given: Given, cluster: ClusterReader) {
  return when?.(given) === false ? [] : check(given, cluster)
}

export function isExempt({ exempt = [], exemptOnUpdate = [] }: Exempting, { user, operation }: Asker): boolean {
  const always: readonly Membership[] = exempt
  const onUpdate: readonly Membership[] = operation === 'UPDATE' ? exemptOnUpdate : []
  return user.among.some((set) => always.includes(set) || onUpdate.includes(set))
}
/** Exempt only while the namespace of the request is terminating (tars.md 1.5). */
export function isExemptAtEnd(
  { exempt = [] }: Pick<RuleWords, 'exempt'>,
  { user }: Pick<RequestInfo, 'user'>,
): boolean {
  return exempt.includes('KUBE') && user.among.includes('DEPUTY')
}
type Exempting = Pick<RuleWords, 'exempt' | 'exemptOnUpdate'>
type Asker = Pick<Change<KubeObject>, 'user' | 'operation'>

export function remedyOf({ remedy }: RuleWords, finding: Finding): string {
  return typeof remedy === 'string' ? remedy : remedy(finding)
}

export function effectOf({ effect = 'refuse' }: RuleWords, profile: Profile): Effect {
  return typeof effect === 'string' ? effect : effect[profile]
}
export function effectOfFinding({ effect, rule }: Finding & { readonly rule: RuleWords }, profile: Profile): Effect {
  return effect ?? effectOf(rule, profile)
}
