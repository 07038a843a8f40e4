import { NAMESPACE_NAME } from '../../../src/kube/names.ts'
import { selects } from '../../../src/kube/selectors.ts'
import type { Findings } from '../../kit/admission.ts'
import { type ClusterReader, type Field, isTree, list, object, resource, type Tree, text } from '../../kit/schema.ts'
import { MUTATOR, PODS_WEBHOOK, VALIDATOR } from '../doors.ts'
import { isGateOn } from '../gate.ts'
import { selectorFaults, selectorFrom } from '../list/selector.ts'
import { specOf } from '../list/touched.ts'
import { caseOf, type DaemonSetWrite } from './case.ts'
import { mergeable } from './samples.ts'

const tree = (doc: string): Field<Tree> => ({ json: { type: 'object', description: doc } })
const webhook = object({}, { name: text({ doc: 'Its name.' }), namespaceSelector: tree('Which namespaces it serves.') })
const configured = object({}, { webhooks: list(webhook, { doc: 'The webhooks.' }) })
const configuration = <const P extends string>(kind: string, plural: P) =>
  resource({ group: 'admissionregistration.k8s.io', version: 'v1', kind, plural, scope: 'Cluster' }, configured)

export const MUTATORS = configuration('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations')
export const VALIDATORS = configuration('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations')

/** PATCH-V-23f */
export function idle(given: DaemonSetWrite): Findings {
  const { list } = caseOf(given)
  if (isGateOn(given.settings) || list.items.length === 0) return []
  return [{ path: list.at, value: 'the feature gate is off, so the list is stored and ignored' }]
}

/** PATCH-V-23g. Where our other configuration is not there either, as in a cluster in memory, nothing can be told. */
export async function unserved(given: DaemonSetWrite, cluster: ClusterReader): Promise<Findings> {
  const { list } = caseOf(given)
  if (list.items.length === 0) return []
  const value = await lackOf(given, cluster)
  return value === undefined ? [] : [{ path: list.at, value }]
}

async function lackOf({ namespace }: DaemonSetWrite, cluster: ClusterReader): Promise<string | undefined> {
  const [mutator, validator] = await Promise.all([
    cluster.get(MUTATORS, { namespace: '', name: MUTATOR }),
    cluster.get(VALIDATORS, { namespace: '', name: VALIDATOR }),
  ])
  const pods = mutator?.webhooks?.find(({ name }) => name === PODS_WEBHOOK)
  if (pods === undefined) return validator === undefined ? undefined : 'the webhook for pods is not installed'
  const { namespaceSelector = {} } = pods
  if (selectorFaults(namespaceSelector).length > 0) return undefined
  const { matchLabels = {}, matchExpressions = [] } = selectorFrom(namespaceSelector)
  const byName = matchExpressions.filter(({ key }) => key === NAMESPACE_NAME)
  const isServed = selects({ matchExpressions: byName }, { [NAMESPACE_NAME]: namespace })
  return isServed || Object.keys(matchLabels).length > 0 ? undefined : 'the webhook for pods leaves this namespace out'
}

const scheduling = object({}, { nodeSelector: tree('Labels of its Nodes.') })
export const RUNTIMECLASS = resource(
  { group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass', plural: 'runtimeclasses', scope: 'Cluster' },
  object({}, { scheduling }),
)

/** PATCH-V-23l */
export async function narrowed(given: DaemonSetWrite, cluster: ClusterReader): Promise<Findings> {
  const seen = caseOf(given)
  const found = mergeable(seen).map(async ({ index, patch }): Promise<Findings> => {
    const { runtimeClassName: name } = specOf(patch)
    if (typeof name !== 'string' || name === '') return []
    const { nodeSelector } = (await cluster.get(RUNTIMECLASS, { namespace: '', name }))?.scheduling ?? {}
    if (!isTree(nodeSelector) || Object.keys(nodeSelector).length === 0) return []
    const value = `pods stay Pending on nodes without the labels of RuntimeClass ${name}`
    return [{ path: `${seen.list.at}[${index}].patch.spec.runtimeClassName`, value }]
  })
  return (await Promise.all(found)).flat()
}
