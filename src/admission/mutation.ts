import type { ClusterReader } from '../cluster/port.ts'
import { isLabelValue } from '../kube/labels.ts'
import type { Brew } from './change.ts'
import { type Edit, pointerTo } from './patch.ts'
import type { Findings, RuleWords } from './rule.ts'

/** A mutation that must not let an object travel on refuses it in the words of a rule. */
export interface Refusal {
  readonly refuse: RuleWords
  readonly findings: Findings
}

export interface Mutation<T> {
  readonly id: string
  readonly says: string // for docs/rules.md
  readonly when?: (given: Brew<T>) => boolean
  readonly edits: (
    given: Brew<T>,
    cluster: ClusterReader,
  ) => readonly Edit[] | Refusal | Promise<readonly Edit[] | Refusal>
}

export function isRefusal(answer: readonly Edit[] | Refusal): answer is Refusal {
  return 'refuse' in answer
}

/** An undefined value is nothing to say. */
export const set = (path: string, value: unknown): Edit => ({
  op: 'add',
  path,
  value,
})
export const drop = (path: string): Edit => ({ op: 'remove', path })

/** The API server refuses a bad label value without naming us (AP-16), so none is written: a rule speaks instead. */
export const label = (key: string, value: string | undefined): Edit =>
  set(pointerTo('metadata', 'labels', key), value !== undefined && isLabelValue(value) ? value : undefined)
export const dropLabel = (key: string): Edit => drop(pointerTo('metadata', 'labels', key))
