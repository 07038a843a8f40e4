import type { Tree } from '../../kit/schema.ts'

/** What node patches make of one DaemonSet, as data for each of the printers (PATCH-DBG-1). */
export interface Explanation {
  readonly daemonSet: string
  /** Where its list stands. */
  readonly carrier: string
  /** Why the list acts as none (PATCH-ORD-3). */
  readonly unreadable?: string
  readonly patches: readonly ExplainedPatch[]
  readonly groups: readonly LabelGroup[]
  readonly overlaps: readonly Overlap[]
  readonly limits: readonly Limit[]
}

export interface ExplainedPatch {
  readonly index: number
  readonly selector: string
  readonly priority: number
  readonly hash: string
  /** On how many Nodes it acts. */
  readonly nodes: number
}

/** The Nodes for which the same entries apply. */
export interface LabelGroup {
  /** Each set of the labels that decide, as the Nodes of the group have it. */
  readonly labels: readonly string[]
  readonly nodes: readonly string[]
  /** The entries in the order of their application. */
  readonly applied: readonly number[]
  /** Absent where no entry applies, since pods have no stamp then, and where the entries cannot be merged. */
  readonly stamp?: ExpectedStamp
  /** Why the entries cannot be merged, so that pods of these Nodes are refused. */
  readonly problem?: string
  readonly changes: readonly TemplateChange[]
  /** The whole one that pods of these Nodes are made of, which JSON alone shows; absent where the entries cannot be merged. */
  readonly template?: Tree
  readonly pods: readonly ExplainedPod[]
}
/** What a pod that is made now carries in its annotations. */
export interface ExpectedStamp {
  readonly component: string
  readonly applied: string
  readonly templateHash: string
}
/** A field of the template that the patches set, take away, or move. */
export interface TemplateChange {
  readonly path: string
  /** As JSON. */
  readonly before?: string
  readonly after?: string
}

export const POD_STATES = ['current', 'stale', 'unpatched', 'marked', 'ending'] as const
export interface ExplainedPod {
  readonly name: string
  readonly node: string
  readonly state: (typeof POD_STATES)[number]
  /** Why it is stale or marked. */
  readonly reason?: string
}

/** A field that several entries set on the same Nodes, in the order of their application: the last one counts. */
export interface Overlap {
  readonly path: string
  readonly entries: readonly number[]
  readonly decidedBy: 'priority' | 'list order' | 'equal values'
  /** The groups, by their places, on whose Nodes they meet. */
  readonly groups: readonly number[]
}

export interface Limit {
  readonly of: string
  readonly is: number
  readonly most: number
  readonly unit: string
  readonly state: 'far' | 'near' | 'over'
}

/** It is not as it should be, so the command fails. */
export const isBroken = ({ unreadable, groups }: Explanation) =>
  unreadable !== undefined || groups.some(({ problem }) => problem !== undefined)
