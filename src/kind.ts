import type { Exempt, Raw } from './admission/change.ts'
import type { Door } from './admission/door.ts'
import { type MutatingParts, type MutationContext, mutate } from './admission/mutating.ts'
import { isTerminatingIn, NAMESPACE } from './admission/namespace.ts'
import type { Reason } from './admission/patch.ts'
import type { Probe } from './admission/probe.ts'
import type { RuleWords } from './admission/rule.ts'
import { askTwins } from './admission/twins.ts'
import { type Judgement, type ValidatingParts, type ValidationContext, validate } from './admission/validating.ts'
import type { Verdict, Violation } from './admission/verdict.ts'
import type { Need, Right } from './cluster/needs.ts'
import type { Gvr, KubeObject, Readers, Resource } from './cluster/port.ts'
import type { JsonSchema } from './schema.ts'

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

export interface Parts<T extends KubeObject> extends MutatingParts<T>, ValidatingParts<T> {
  readonly resource: Resource<T>
  readonly definition?: Definition // of a CRD that we define; absent for kinds of others
  readonly doors: readonly Door[]
  /** What rules and mutations look up: rights, caches and indexes come from it. */
  readonly reads?: readonly Need[]
  /** What the intents of consequences write. */
  readonly writes?: readonly Right[]
  readonly probe?: (name: string) => Probe
}

/** What the machine sees of a kind: its type is closed over, so that a list of kinds is a plain array. */
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
  mutate(raw: Raw, readers: Readers, context: MutationContext): Promise<Verdict>
  validate(raw: Raw, readers: Readers, context?: ValidationContext): Promise<Judgement>
  /** What the CEL twins say of an object on its way into the store; `prev` when it is an update (CV-1). */
  identity(next: unknown, prev?: unknown): readonly Violation[]
}
interface RuleSummary extends Reason {
  readonly says: string
  readonly on?: string // of a consequence
  readonly exempt?: readonly Exempt[]
  readonly refuses?: RuleWords
}

export function defineKind<T extends KubeObject>(parts: Parts<T>): Kind {
  const { resource, definition, doors, writes = [], probe } = parts
  const { mutate: mutations = [], validate: rules = [], consequences = [] } = parts
  const reads = [...(parts.reads ?? []), ...([...rules, ...consequences].some(asksNamespace) ? [OF_NAMESPACE] : [])]
  return {
    resource,
    ...(definition && { definition }),
    ...(probe && { probe }),
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
    identity: (next, prev) => askTwins(resource, rules, { next, prev }),
  }
}

/** Whether its namespace is terminating decides who is exempt from it (tars.md 1.5). */
const asksNamespace = ({ on, exempt = [] }: Pick<RuleWords, 'on' | 'exempt'>) =>
  on === 'delete' && exempt.includes('KUBE')
const OF_NAMESPACE: Need = { resource: NAMESPACE, asks: ['get'] }
