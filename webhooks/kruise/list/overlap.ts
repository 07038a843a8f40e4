import type { Selector } from '../../../src/kube/selectors.ts'

/** What a Node with certain values of one label must be like. */
interface Demand {
  readonly isThere: boolean
  readonly isAbsent: boolean
  readonly among: ReadonlySet<string> | undefined
  readonly except: readonly string[]
}
const NOTHING: Demand = { isThere: false, isAbsent: false, among: undefined, except: [] }
type Requirement = NonNullable<Selector['matchExpressions']>[number]

/** Whether the labels of one Node can meet both selectors. */
export function canMeet(one: Selector, other: Selector): boolean {
  const demands = new Map<string, Demand>()
  for (const requirement of [...requirementsOf(one), ...requirementsOf(other)]) {
    demands.set(requirement.key, and(demands.get(requirement.key) ?? NOTHING, requirement))
  }
  return [...demands.values()].every(isPossible)
}

function requirementsOf({ matchLabels = {}, matchExpressions = [] }: Selector): readonly Requirement[] {
  const labels = Object.entries(matchLabels)
  return [...labels.map(([key, value]): Requirement => ({ key, operator: 'In', values: [value] })), ...matchExpressions]
}

function and(demand: Demand, requirement: Requirement): Demand {
  switch (requirement.operator) {
    case 'Exists':
      return { ...demand, isThere: true }
    case 'DoesNotExist':
      return { ...demand, isAbsent: true }
    case 'NotIn':
      return { ...demand, except: [...demand.except, ...requirement.values] }
    case 'In': {
      const values = new Set(requirement.values)
      return { ...demand, isThere: true, among: demand.among?.intersection(values) ?? values }
    }
  }
}

function isPossible({ isThere, isAbsent, among, except }: Demand): boolean {
  if (isThere && isAbsent) return false
  return among === undefined || [...among].some((value) => !except.includes(value))
}
