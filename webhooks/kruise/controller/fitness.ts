import { isTree, type Tree, type Words } from '../../kit/schema.ts'

/** What decides where a daemon runs; conditions, resources and `spec.unschedulable` do not. */
export interface NodeTraits {
  readonly name: string
  readonly labels: Words
  readonly taints: readonly Taint[]
}
interface Taint {
  readonly key: string
  readonly value: string
  readonly effect: string
}
export interface Fitness {
  readonly shouldRun: boolean
  /** A pod that is there already may stay: only a taint of NoExecute drives it away. */
  readonly shouldContinue: boolean
}

const UNFIT: Fitness = { shouldRun: false, shouldContinue: false }

/** As the controller of Kubernetes decides it for a node and the spec of a template. */
export function fitnessOf(spec: unknown, tolerations: readonly unknown[], place: NodeTraits): Fitness {
  const { nodeName, nodeSelector, affinity } = treeIn(spec)
  if (typeof nodeName === 'string' && nodeName !== '' && nodeName !== place.name) return UNFIT
  if (!isSelected(nodeSelector, place) || !isNear(treeIn(affinity).nodeAffinity, place)) return UNFIT
  const against = place.taints.filter((taint) => !tolerations.some((each) => tolerates(treeIn(each), taint)))
  return {
    shouldRun: !against.some(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute'),
    shouldContinue: !against.some(({ effect }) => effect === 'NoExecute'),
  }
}

export function taintsOf(node: Tree): readonly Taint[] {
  const word = (value: unknown) => (typeof value === 'string' ? value : '')
  return listIn(treeIn(node.spec).taints)
    .map(treeIn)
    .map(({ key, value, effect }) => ({ key: word(key), value: word(value), effect: word(effect) }))
}

const treeIn = (value: unknown) => (isTree(value) ? value : {})
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const labelOf = (labels: Words, key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined)

const isSelected = (selector: unknown, { labels }: NodeTraits) =>
  Object.entries(treeIn(selector)).every(([key, value]) => labelOf(labels, key) === value)

/** Terms are alternatives; a term that asks for nothing matches nothing. */
function isNear(nodeAffinity: unknown, place: NodeTraits): boolean {
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = treeIn(nodeAffinity)
  if (required === undefined || required === null) return true
  return listIn(treeIn(required).nodeSelectorTerms).some((term) => fitsTerm(treeIn(term), place))
}

function fitsTerm(term: Record<string, unknown>, { name, labels }: NodeTraits): boolean {
  const [expressions, fields] = [listIn(term.matchExpressions), listIn(term.matchFields)]
  if (expressions.length + fields.length === 0) return false
  const meetsField = (each: unknown) => {
    const { key, operator, values } = treeIn(each)
    return key === 'metadata.name' && (operator === 'In' || operator === 'NotIn') && meets(name, operator, values)
  }
  const meetsLabel = (each: unknown) => {
    const { key, operator, values } = treeIn(each)
    return typeof key === 'string' && meets(labelOf(labels, key), operator, values)
  }
  return expressions.every(meetsLabel) && fields.every(meetsField)
}

function meets(value: string | undefined, operator: unknown, values: unknown): boolean {
  const named = listIn(values)
  switch (operator) {
    case 'In':
      return value !== undefined && named.includes(value)
    case 'NotIn':
      return value === undefined || !named.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
    case 'Lt':
      return isBeyond(value, operator, named)
    default:
      return false
  }
}

function isBeyond(value: string | undefined, operator: 'Gt' | 'Lt', [bound, ...more]: readonly unknown[]): boolean {
  if (more.length > 0 || !isWhole(value) || !isWhole(bound)) return false
  return operator === 'Gt' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound)
}
const isWhole = (value: unknown): value is string => typeof value === 'string' && /^-?\d{1,19}$/.test(value)

/** A toleration without an effect is for all effects, and one without a key, which exists, for all taints. */
function tolerates({ key = '', operator = 'Equal', value = '', effect = '' }: Record<string, unknown>, taint: Taint) {
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  if (operator === 'Exists') return true
  return key !== '' && operator === 'Equal' && value === taint.value
}
