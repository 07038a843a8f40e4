import type { Exempt, Raw } from './admission/change.ts'
import type { Door } from './admission/door.ts'
import { falseMirrors } from './admission/mirror.ts'
import { type MutatingParts, type MutationContext, mutate } from './admission/mutating.ts'
import { isTerminatingIn, NAMESPACE } from './admission/namespace.ts'
import type { Reason } from './admission/patch.ts'
import type { Probe } from './admission/probe.ts'
import { effectOf, type Rule, type RuleWords } from './admission/rule.ts'
import { askTwins } from './admission/twins.ts'
import { type Judgement, type ValidatingParts, type ValidationContext, validate } from './admission/validating.ts'
import type { Verdict, Violation } from './admission/verdict.ts'
import type { Need, Right, Stated } from './cluster/needs.ts'
import type { Found, Gvr, KubeObject, Readers, Resource } from './cluster/port.ts'
import type { JsonSchema, Tree } from './schema.ts'

export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean' | 'date'
  readonly path: string
  /** Shown by `kubectl get -o wide` alone. */
  readonly isWide?: true
}

/**
 * The people who may write objects of a kind, which decides who may read them. Authors: those with role edit; role view
 * reads. Controllers: no person writes, all of them read. Admins: those with role admin, who alone read, too. Operators:
 * those with role admin; role view reads.
 */
export type Writers = 'authors' | 'controllers' | 'admins' | 'operators'

export interface Definition {
  readonly description: string
  /** Versions that are served beside that of the resource, with the same schema. */
  readonly alsoServed?: readonly string[]
  readonly writers: Writers
  readonly shortNames: readonly string[]
  readonly columns: readonly Column[]
  readonly subresources?: {
    readonly status?: true
    readonly scale?: { readonly replicas: string; readonly statusReplicas: string; readonly selector: string }
  }
}

export interface Parts<T extends KubeObject> extends MutatingParts<T>, ValidatingParts<T> {
  readonly resource: Resource<T>
  readonly definition?: Definition // of a CRD that we define; absent for kinds of others
  readonly doors: readonly Door[]
  /** The look-ups of rules and mutations, from which rights, caches and indexes derive. */
  readonly reads?: readonly Need[]
  /** The writes of the intents of consequences. */
  readonly writes?: readonly Right[]
  readonly probe?: (name: string) => Probe
  readonly decision?: Decision<T>
}

/** What a person still decides about a stored object, which `review --plan` assumes. */
export interface Decision<T extends KubeObject> {
  /** Goes behind "as if". */
  readonly says: string
  /** A merge patch; none where nothing is left to decide. */
  readonly patch: (object: Found<T>, at: Date) => Tree | undefined
}

/** A CustomResourceDefinition of a resource. */
export interface Defined {
  readonly resource: Kind['resource']
  readonly definition: Definition
  readonly rules: readonly RuleWords[]
}

/** A kind without its object type, which defineKind closes over, so that a list of kinds is a plain array. */
export interface Kind {
  readonly resource: Gvr & { readonly schema: JsonSchema }
  readonly definition?: Definition
  readonly doors: readonly Door[]
  readonly reads: readonly Need[]
  readonly writes: readonly Right[]
  readonly mutations: readonly RuleSummary[]
  readonly rules: readonly RuleWords[]
  readonly consequences: readonly RuleSummary[]
  readonly probe?: (name: string) => Probe
  readonly decision?: Decision<KubeObject>
  mutate(raw: Raw, readers: Readers, context: MutationContext): Promise<Verdict>
  validate(raw: Raw, readers: Readers, context?: ValidationContext): Promise<Judgement>
  /** Asks of a stored object, as if it were created, whether its shape and its labels are right, and the rules that refuse and hold for good (WR-8). */
  audit(raw: Raw, readers: Readers): Promise<Verdict>
  /** The violations of the CEL twins for an object that is about to be stored; `prev` is present on update (CV-1). */
  identity(next: unknown, prev?: unknown): readonly Violation[]
}
interface RuleSummary extends Reason {
  readonly says: string
  readonly on?: string // present for a consequence
  readonly exempt?: readonly Exempt[]
  readonly refuses?: RuleWords
}

export function defineKind<T extends KubeObject>(parts: Parts<T>): Kind {
  const { resource, definition, doors, writes = [], probe, decision } = parts
  const { mutate: mutations = [], validate: rules = [], consequences = [] } = parts
  const reads = [...(parts.reads ?? []), ...([...rules, ...consequences].some(asksNamespace) ? [OF_NAMESPACE] : [])]
  return {
    resource,
    ...(definition && { definition }),
    ...(probe && { probe }),
    ...(decision && { decision: decisionOf(resource, decision) }),
    doors,
    reads,
    writes,
    mutations,
    rules,
    consequences,
    mutate: (raw, readers, context) => mutate(parts, raw, { ...context, readers }),
    validate(raw, readers, context = { isNamespaceTerminating: isTerminatingIn(readers.live, raw.namespace) }) {
      return validate(parts, raw, { ...readers, ...context })
    },
    audit: auditOf(parts),
    identity: (next, prev) => askTwins(resource, rules, { next, prev }),
  }
}

function decisionOf<T extends KubeObject>(of: Resource<T>, { says, patch }: Decision<T>): Decision<KubeObject> {
  return { says, patch: (object, at) => (of.isDraft(object) ? patch(object, at) : undefined) }
}

/** Whether the exemptions depend on the namespace being terminating (tars.md 1.5). */
const asksNamespace = ({ on, exempt = [] }: Pick<RuleWords, 'on' | 'exempt'>) =>
  on === 'delete' && exempt.includes('KUBE')
const OF_NAMESPACE: Need = { resource: NAMESPACE, asks: ['get'] }

function auditOf<T extends KubeObject>({ resource, mutate = [], validate: rules = [] }: Parts<T>): Kind['audit'] {
  const standing = rules.filter(({ on, holds }) => on === 'write' || holds === true)
  const refusing = (raw: Raw): readonly Rule<T>[] => standing.filter((rule) => effectOf(rule, raw.profile) === 'refuse')
  return async (raw, readers) => {
    const context = { ...readers, isNamespaceTerminating: async () => false }
    const verdict = await validate({ resource, validate: refusing(raw) }, raw, context)
    return { ...verdict, violations: [...verdict.violations, ...falseMirrors(resource, mutate, raw.object)] }
  }
}

/** All kinds that we define: a kind without rules still has a schema. */
export function definedKinds(kinds: readonly Kind[]): readonly Kind[] {
  return kinds.filter(({ definition }) => definition !== undefined)
}

/** What the auditor asks the API server for: the audited objects, and those that their rules look up. */
export function auditNeeds(kinds: readonly Kind[]): Stated {
  const defined = definedKinds(kinds)
  const ours = new Set(defined.map(({ resource }) => resource.kind))
  const reads = defined.flatMap((kind): readonly Need[] => [
    { resource: kind.resource, asks: ['list'] },
    ...kind.reads.flatMap(({ resource }): Need[] =>
      ours.has(resource.kind) ? [{ resource, asks: ['get', 'list'] }] : [],
    ),
  ])
  return { reads, writes: [] }
}
