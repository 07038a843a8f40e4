import type { Entry } from '../list/entry.ts'

/** As `kubectl get nodes -l` takes it. */
export function selectorWords({ selector, isBadSelector }: Pick<Entry, 'selector' | 'isBadSelector'>): string {
  if (selector === undefined) return isBadSelector ? 'invalid, so it applies nowhere' : 'empty, so it applies nowhere'
  const { matchLabels = {}, matchExpressions = [] } = selector
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`)
  return [...labels, ...matchExpressions.map(requirementWords)].join(',')
}

type Requirement = NonNullable<NonNullable<Entry['selector']>['matchExpressions']>[number]

function requirementWords(requirement: Requirement): string {
  const { key, operator } = requirement
  switch (operator) {
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    case 'In':
      return `${key} in (${requirement.values.join(',')})`
    case 'NotIn':
      return `${key} notin (${requirement.values.join(',')})`
  }
}
