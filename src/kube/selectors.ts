import { carries, type Labels } from './labels.ts'

/** A label selector of Kubernetes: all of its parts must match. */
export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly Requirement[]
}
type Requirement =
  | { readonly key: string; readonly operator: 'Exists' | 'DoesNotExist' }
  | { readonly key: string; readonly operator: 'In' | 'NotIn'; readonly values: readonly string[] }

export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return carries(labels, matchLabels) && matchExpressions.every((requirement) => meets(labels, requirement))
}

/** An object without the label matches NotIn. */
function meets(labels: Labels, requirement: Requirement): boolean {
  const { key, operator } = requirement
  const value = labels != null && Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'In':
      return value !== undefined && requirement.values.includes(value)
    case 'NotIn':
      return value === undefined || !requirement.values.includes(value)
  }
}
