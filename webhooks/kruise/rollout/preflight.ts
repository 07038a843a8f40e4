import { selects } from '../../../src/kube/selectors.ts'
import type { Sight } from '../../kit/controller.ts'
import { type Field, isTree, list, object, resource, type Tree, text } from '../../kit/schema.ts'
import { APPS_DAEMONSET } from '../daemonsets.ts'
import { MUTATOR, PODS_WEBHOOK } from '../doors.ts'
import { selectorFrom } from '../list/selector.ts'
import { ANNOTATIONS } from '../names.ts'
import type { SeenPod } from './seen.ts'

const selector: Field<Tree> = { json: { type: 'object', description: 'Which namespaces it is asked for.' } }
const webhook = object(
  {},
  {
    name: text({ doc: 'Name of the webhook.' }),
    clientConfig: object({}, { caBundle: text({ doc: 'What its certificate is checked with.' }) }),
    namespaceSelector: selector,
  },
)
const CONFIGURATION = resource(
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    scope: 'Cluster',
  },
  object({}, { webhooks: list(webhook, { doc: 'Webhooks.' }) }),
)
const NAMESPACE = resource(
  { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' },
  object({}),
)

export const PREFLIGHT_READS = [
  { resource: CONFIGURATION, asks: ['get'], names: [MUTATOR] },
  { resource: NAMESPACE, asks: ['get'] },
  { resource: APPS_DAEMONSET, asks: ['dry-run create'] },
] as const

/** Nothing is asked while no pod waits to be replaced. */
export function isToReplace({ pod, node, whole }: SeenPod): boolean {
  if (node === undefined || pod.isEnding || pod.mark !== undefined) return false
  return whole !== undefined || pod.component !== node.expects.component
}

/** PATCH-ROLL-9 a: what keeps new pods of a namespace from being patched. */
export async function bypassIn(namespace: string, live: Sight['live']): Promise<string | undefined> {
  const [configuration, home] = await Promise.all([
    live.get(CONFIGURATION, { namespace: '', name: MUTATOR }),
    live.get(NAMESPACE, { namespace: '', name: namespace }),
  ])
  const found = configuration?.webhooks?.find(({ name }) => name === PODS_WEBHOOK)
  if (found === undefined) return `webhook ${PODS_WEBHOOK} is not registered`
  if (!found.clientConfig?.caBundle) return `webhook ${PODS_WEBHOOK} has no caBundle`
  const { namespaceSelector } = found
  if (isTree(namespaceSelector) && !selects(selectorFrom(namespaceSelector), home?.metadata.labels))
    return `webhook ${PODS_WEBHOOK} is not asked for pods of namespace ${namespace}`
  return silence(namespace, live)
}

/**
 * The other webhook of the same process and certificate is asked: to create pods is no right of the worker. It refuses
 * this list. A refusal for a lack of rights comes before any webhook, and says nothing of it.
 */
async function silence(namespace: string, live: Sight['live']): Promise<string | undefined> {
  try {
    await live.dryRun(APPS_DAEMONSET, trialIn(namespace), 'create')
    return undefined
  } catch (error) {
    if (!(error instanceof Error && error.name === 'Refused')) return 'the webhook does not answer'
    return / cannot create resource /.test(error.message) ? `the webhook cannot be asked: ${error.message}` : undefined
  }
}

function trialIn(namespace: string) {
  const labels = { app: 'daemonset-patches-trial' }
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace, name: labels.app, annotations: { [ANNOTATIONS.patches]: 'none' } },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'none', image: 'none' }] } },
    },
  }
}
