import { selects } from '../../../src/kube/selectors.ts'
import {
  type Create,
  type Finding,
  type Findings,
  isSame,
  type Rule,
  type Update,
  valueAt,
} from '../../kit/admission.ts'
import { type ClusterReader, isTree, type Words } from '../../kit/schema.ts'
import type { DaemonSet } from '../daemonsets.ts'
import { isEmptySelector, selectorFaults, selectorFrom } from '../list/selector.ts'
import { shareOf } from '../share.ts'
import { MUTATING_CONFIGURATION } from './resources.ts'
import { KRUISE_CONFIGURATION } from './rival.ts'

type ControlledWrite = Create<DaemonSet> | Update<DaemonSet>

interface Demand {
  readonly says: string
  readonly remedy: string
  /** The paths where it is not met. */
  readonly broken: (given: ControlledWrite) => readonly string[]
}

const ROLLING = 'spec.updateStrategy.rollingUpdate'
const COUNTS = [`${ROLLING}.maxUnavailable`, `${ROLLING}.maxSurge`, `${ROLLING}.partition`, 'spec.burstReplicas']

/** Those of OpenKruise that no schema states (1.2 of the specification), and those of any DaemonSet. */
const DEMANDS: readonly Demand[] = [
  {
    says: 'must select something',
    remedy: 'write the labels of its pods',
    broken: ({ next }) => (isEmptySelector(selectorOf(next)) ? ['spec.selector'] : []),
  },
  {
    says: 'cannot be changed',
    remedy: 'create another DaemonSet',
    broken: (given) =>
      given.operation === 'UPDATE' && !isSame(selectorOf(given.next), selectorOf(given.prev)) ? ['spec.selector'] : [],
  },
  {
    says: 'do not match spec.selector',
    remedy: 'give its pods the labels of the selector',
    broken: ({ next }) => (isSelectingOthers(next) ? ['spec.template.metadata.labels'] : []),
  },
  {
    says: 'must be Always',
    remedy: 'leave it out',
    broken: ({ next }) => whereNot(next, ['spec.template.spec.restartPolicy'], (value) => value === 'Always'),
  },
  {
    says: 'is not for pods of a DaemonSet',
    remedy: 'leave it out',
    broken: ({ next }) => whereNot(next, ['spec.template.spec.activeDeadlineSeconds'], () => false),
  },
  {
    says: 'must be a number from 0, or a share from 0% to 100%',
    remedy: 'write 1 or "10%"',
    broken: ({ next }) => whereNot(next, COUNTS, isCount),
  },
  {
    says: 'must be 0 where maxUnavailable is not',
    remedy: 'leave one of the two out',
    broken: ({ next }) => (isBoth(next) ? [`${ROLLING}.maxSurge`] : []),
  },
  {
    says: 'is not supported',
    remedy: 'use preDelete alone',
    broken: ({ next }) => whereNot(next, ['spec.lifecycle.inPlaceUpdate'], () => false),
  },
]

const selectorOf = ({ spec }: DaemonSet) => spec?.selector ?? {}
function isSelectingOthers(daemonSet: DaemonSet): boolean {
  const selector = selectorOf(daemonSet)
  if (isEmptySelector(selector) || selectorFaults(selector).length > 0) return false
  return !selects(selectorFrom(selector), textsIn(valueAt(daemonSet, 'spec.template.metadata.labels')))
}
const textsIn = (labels: unknown): Words =>
  Object.fromEntries(
    Object.entries(isTree(labels) ? labels : {}).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    ),
  )

function whereNot(daemonSet: DaemonSet, paths: readonly string[], holds: (value: unknown) => boolean) {
  return paths.filter((path) => {
    const value = valueAt(daemonSet, path)
    return value !== undefined && value !== null && !holds(value)
  })
}

const isCount = (value: unknown) =>
  typeof value === 'number' ? value >= 0 : /^(\d{1,2}|100)%$/.test(typeof value === 'string' ? value : '')
const isBoth = ({ spec }: DaemonSet) => {
  const { maxUnavailable, maxSurge } = spec?.updateStrategy?.rollingUpdate ?? {}
  return [maxUnavailable, maxSurge].every((each) => shareOf(each, 100, 'up') > 0)
}

function broken(given: ControlledWrite): Findings {
  const faults = selectorFaults(selectorOf(given.next)).map(({ path, text }) => ({ path: `spec${path}`, value: text }))
  return [
    ...faults,
    ...DEMANDS.flatMap(({ says, broken: places }) => places(given).map((path) => ({ path, value: says }))),
  ]
}

/** Beside OpenKruise its own webhook judges. */
async function unlessKruise(found: Findings, cluster: ClusterReader): Promise<Findings> {
  const there = await cluster.get(MUTATING_CONFIGURATION, { namespace: '', name: KRUISE_CONFIGURATION })
  return there === undefined ? found : []
}

export const CONTROLLED: Rule<DaemonSet> = {
  id: 'PATCH-CTL-4',
  field: 'spec',
  on: 'write',
  check(given, cluster) {
    const found = broken(given)
    return found.length === 0 ? found : unlessKruise(found, cluster)
  },
  message: ({ value }) => `${value}`,
  remedy: ({ value }: Finding) =>
    DEMANDS.find(({ says }) => says === value)?.remedy ?? 'write it like the selector of a Deployment',
}
