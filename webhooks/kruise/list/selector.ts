import { againstKey, againstLabelValue } from '../../../src/kube/qualified-names.ts'
import type { Selector } from '../../../src/kube/selectors.ts'
import { isTree, type Tree } from '../../kit/schema.ts'

/** What is wrong with a part of an entry, and where in it. */
export interface EntryFault {
  readonly id: 'PATCH-V-04' | 'PATCH-V-06' | 'PATCH-V-07' | 'PATCH-V-08' | 'PATCH-V-09'
  readonly path: string
  readonly text: string
}

const isText = (value: unknown): value is string => typeof value === 'string'
const V08 = (path: string, text: string): EntryFault => ({ id: 'PATCH-V-08', path, text })
const given = (value: unknown) => value !== undefined && value !== null

/** PATCH-V-08, of which the API server checks nothing in an annotation, and types alone in a field. */
export function selectorFaults({ matchLabels, matchExpressions }: Tree): readonly EntryFault[] {
  return [
    ...(given(matchLabels) ? labelFaults(matchLabels) : []),
    ...(given(matchExpressions) ? expressionFaults(matchExpressions) : []),
  ]
}

/** PATCH-V-07 */
export function isEmptySelector({ matchLabels, matchExpressions }: Tree): boolean {
  return [matchLabels, matchExpressions].every((part) => !given(part) || Object.keys(Object(part)).length === 0)
}

function labelFaults(labels: unknown): readonly EntryFault[] {
  const path = '.selector.matchLabels'
  if (!isTree(labels)) return [V08(path, 'expected an object')]
  return Object.entries(labels).flatMap(([key, value]) => [
    ...againstKey(key).map((words) => V08(path, words)),
    ...valueFaults(value, `${path}[${key}]`),
  ])
}

function valueFaults(value: unknown, path: string): readonly EntryFault[] {
  if (!isText(value)) return [V08(path, 'expected a string')]
  return againstLabelValue(value).map((words) => V08(path, words))
}

function expressionFaults(expressions: unknown): readonly EntryFault[] {
  const path = '.selector.matchExpressions'
  if (!Array.isArray(expressions)) return [V08(path, 'expected an array')]
  return expressions.flatMap((each: unknown, at) => expressionFaultsAt(each, `${path}[${at}]`))
}

function expressionFaultsAt(expression: unknown, path: string): readonly EntryFault[] {
  if (!isTree(expression)) return [V08(path, 'expected an object')]
  const { key, operator, values, ...unknown } = expression
  return [
    ...Object.keys(unknown).map((field) => V08(`${path}.${field}`, 'unknown field')),
    ...(isText(key) ? againstKey(key).map((words) => V08(`${path}.key`, words)) : [V08(`${path}.key`, 'required')]),
    ...operandFaults(operator, values, path),
  ]
}

function operandFaults(operator: unknown, values: unknown, path: string): readonly EntryFault[] {
  const found: readonly unknown[] | undefined = given(values) ? listed(values) : []
  if (found === undefined) return [V08(`${path}.values`, 'expected an array')]
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (found.length === 0) return [V08(`${path}.values`, `must be specified when operator is 'In' or 'NotIn'`)]
      return found.flatMap((value, at) => valueFaults(value, `${path}.values[${at}]`))
    case 'Exists':
    case 'DoesNotExist':
      if (found.length === 0) return []
      return [V08(`${path}.values`, `may not be specified when operator is 'Exists' or 'DoesNotExist'`)]
    default:
      return [V08(`${path}.operator`, `operator ${operatorWords(operator)} is not a label selector operator`)]
  }
}
const listed = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined)
const operatorWords = (operator: unknown) =>
  isText(operator) ? operator.slice(0, 63) : JSON.stringify(typeof operator)

/** For what has no faults. */
export function selectorFrom({ matchLabels, matchExpressions }: Tree): Selector {
  return {
    matchLabels: isTree(matchLabels) ? textsOf(matchLabels) : {},
    matchExpressions: (listed(matchExpressions) ?? []).filter(isRequirement),
  }
}

/** A map without a prototype, since a label may have any name. */
function textsOf(labels: Tree): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).flatMap(([key, value]) => (isText(value) ? [[key, value]] : [])))
}

function isRequirement(value: unknown): value is NonNullable<Selector['matchExpressions']>[number] {
  return isTree(value)
}
