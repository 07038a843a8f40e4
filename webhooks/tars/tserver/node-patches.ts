import { ask, type Create, effectOf, type Finding, type Findings, type Rule, type Update } from '../../kit/admission.ts'
import { type ClusterReader, Fault, isTree, type KubeObject, Refused } from '../../kit/schema.ts'
import { patchRules } from '../../kruise/daemonset/validate.ts'
import { FRAMEWORK_NAME, NODE_PATCHES } from '../names.ts'
import { TFRAMEWORKCONFIG } from '../tframeworkconfig/schema.ts'
import { daemonSetFor } from './objects/workload.ts'
import type { TServer } from './schema.ts'

export { PATCH_READS } from '../../kruise/daemonset/validate.ts'

type ServerWrite = Create<TServer> | Update<TServer>
type WorkloadWrite = Create<KubeObject> | Update<KubeObject>

const AT = `metadata.annotations[${NODE_PATCHES.list}]`
const hasList = ({ metadata: { annotations } }: TServer) => annotations?.[NODE_PATCHES.list] !== undefined
const isDaemonSet = ({ spec: { k8s } }: TServer) => k8s.daemonSet === true
const WITHOUT_EFFECT: Findings = [{ path: AT, effect: 'warn' }]

/**
 * A list of node patches is judged where its author writes it, by the rules on DaemonSets, which know what stood before
 * (PATCH-RAT-2).
 */
export const NODE_PATCHES_RULE: Rule<TServer> = {
  id: 'PATCH-API-4',
  field: AT,
  on: 'write',
  cached: true,
  measures: ({ through, ...finding }, raw) =>
    through?.measures?.(finding, { ...raw, object: asWorkload(raw.object) }) ?? [],
  when: ({ next }) => hasList(next),
  check: (given, cluster) => (isDaemonSet(given.next) ? listFindings(given, cluster) : WITHOUT_EFFECT),
  message: ({ value = 'has no effect without spec.k8s.daemonSet' }) => `${value}`,
  examples: [{ path: AT, value: '<message>' }, { path: AT }],
  remedy: ({ value }) => (value === undefined ? 'remove it' : '<remedy>'),
}

/** Errors count as those of the DaemonSet, which has the same name. */
const asWorkload = (object: unknown) => ({ ...(isTree(object) && object), apiVersion: 'apps/v1' })

async function listFindings(given: ServerWrite, cluster: ClusterReader): Promise<Findings> {
  const change = await workloadWrite(given, cluster)
  const found = patchRules.map((rule) => findingsOf(rule, change, cluster))
  return (await Promise.all(found)).flat()
}

async function findingsOf(rule: Rule<KubeObject>, change: WorkloadWrite, cluster: ClusterReader): Promise<Findings> {
  const isWarning = effectOf(rule, change.profile) === 'warn'
  const asWarning = isWarning ? ({ effect: 'warn' } as const) : {}
  try {
    const findings = await ask(rule, change, cluster)
    return findings.map((finding): Finding => ({ ...finding, ...asWarning, through: rule }))
  } catch (cause) {
    if (isWarning && (cause instanceof Fault || cause instanceof Refused)) return []
    throw cause
  }
}

/** What the worker would write. Of a server that was none the DaemonSet is new. */
async function workloadWrite(given: ServerWrite, cluster: ClusterReader): Promise<WorkloadWrite> {
  const { namespace } = given
  const config = await cluster.get(TFRAMEWORKCONFIG, { namespace, name: FRAMEWORK_NAME })
  const made = (server: TServer) => daemonSetFor({ server, config, given })
  const { next } = given
  if (given.operation === 'UPDATE' && isDaemonSet(given.prev)) {
    return { ...given, next: made(next), prev: made(given.prev) }
  }
  return { ...given, operation: 'CREATE', next: made(next) }
}
