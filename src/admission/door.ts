import type { Gvr } from '../cluster/port.ts'
import type { Operation } from './change.ts'

export interface Selector {
  readonly matchExpressions: readonly { readonly key: string; readonly operator: 'Exists' }[]
}

/**
 * Where the API server meets a kind. The webhook configurations are printed from the doors: doors of one name are
 * one webhook with a rule for each.
 */
export interface Door {
  readonly name: string
  readonly path: string
  readonly phase: 'mutate' | 'validate'
  readonly operations: readonly Operation[]
  readonly subresource?: string
  readonly failurePolicy: 'Fail' | 'Ignore'
  readonly timeoutSeconds: number
  readonly sideEffects: 'None' | 'NoneOnDryRun'
  readonly reinvocation?: 'IfNeeded'
  readonly matchPolicy?: 'Exact' // Equivalent when absent
  readonly objectSelector?: Selector
  /** Not in kube-system nor in our own namespace: what runs there must start without us (SV-13). */
  readonly exceptSystem?: true
  /** Not what our own webhook writes: its marks must never wait for itself (SV-13). */
  readonly exceptOurselves?: true
  /** Not what the controller writes, for the cost of it: such a door lets the controller do anything (tars.md 2.1). */
  readonly exceptController?: true
}

/** What of a review decides which door it came to: the version that was really sent, not the one requested (W-2). */
export interface Route {
  readonly path: string
  readonly resource: Pick<Gvr, 'group' | 'version' | 'plural'>
  readonly subresource: string | undefined
  readonly operation: string
}

export function addressOf({ path, resource, subresource = '', operation }: Route): string {
  return [operation, resource.group, resource.version, resource.plural, subresource, path].join(' ')
}
