import { isDeepStrictEqual } from 'node:util'
import { checkDoors, configurationOf, configurationsOf, type Door } from '../admission/door.ts'
import { CONTROLLER } from '../admission/identities.ts'
import type { Kind } from '../kind.ts'
import { accountName, NAMESPACE_NAME } from '../kube/names.ts'
import type { Selector } from '../kube/selectors.ts'
import { IDENTITY, LABELS, type Manifest, SERVICE } from './objects.ts'

export interface Reach {
  readonly namespace: string
  readonly webhookUrl?: string | undefined
  readonly secretPath?: string | undefined
  /** PEM; usually absent, because the running webhook writes it (CT-5). */
  readonly ca?: string | undefined
  readonly kubeMinor: number
}

interface RuleMatch {
  readonly kind: Kind
  readonly door: Door
}

export function configurations(kinds: readonly Kind[], reach: Reach): readonly Manifest[] {
  checkDoors(kinds)
  const met = kinds.flatMap((kind) => kind.doors.map((door) => ({ kind, door })))
  return configurationsOf(kinds).map(({ phase, name }) => {
    const listed = met.filter(({ door }) => door.phase === phase && configurationOf(door) === name)
    const byName = Object.groupBy(listed, ({ door }) => door.name)
    const webhooks = Object.values(byName).flatMap((doors = []) => webhookOf(doors, reach))
    const metadata = { name, labels: LABELS }
    return { apiVersion: 'admissionregistration.k8s.io/v1', kind: KINDS[phase], metadata, webhooks }
  })
}
const KINDS = { mutate: 'MutatingWebhookConfiguration', validate: 'ValidatingWebhookConfiguration' } as const

/** Doors with the same name form one webhook; kinds at the same address share a rule. */
function webhookOf(met: readonly RuleMatch[], reach: Reach): readonly Manifest[] {
  const rules = met.map(ruleOf)
  const isFirst = (rule: Manifest, at: number) => rules.findIndex((each) => isDeepStrictEqual(each, rule)) === at
  return met.slice(0, 1).map(({ door }) => ({ ...propertiesOf(door, reach), rules: rules.filter(isFirst) }))
}

function propertiesOf(door: Door, reach: Reach): Manifest {
  const { name, path, failurePolicy, timeoutSeconds, sideEffects, reinvocation, matchPolicy = 'Equivalent' } = door
  const conditions = [...exceptions(door, reach), ...(door.matchConditions ?? [])]
  const namespaceSelector = namespacesOf(door, reach)
  return {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfig(path, reach),
    failurePolicy,
    matchPolicy,
    ...(namespaceSelector && { namespaceSelector }),
    ...(door.objectSelector && { objectSelector: door.objectSelector }),
    sideEffects,
    timeoutSeconds,
    ...(reinvocation && { reinvocationPolicy: reinvocation }),
    ...(conditions.length > 0 && reach.kubeMinor >= MATCH_CONDITIONS_SINCE && { matchConditions: conditions }),
  }
}

function exceptions({ exceptOurselves, exceptController }: Door, { namespace }: Reach): readonly Manifest[] {
  const not = (name: string, account: string) => ({
    name,
    expression: `request.userInfo.username != '${accountName(namespace, account)}'`,
  })
  return [
    ...(exceptOurselves ? [not('not-ourselves', IDENTITY)] : []),
    ...(exceptController ? [not('not-the-controller', CONTROLLER)] : []),
  ]
}

function namespacesOf({ exceptNamespaces, namespaceSelector }: Door, { namespace }: Reach): Selector | undefined {
  if (exceptNamespaces === undefined) return namespaceSelector
  const values = [...new Set([...exceptNamespaces, namespace])]
  const matchExpressions = [
    ...(namespaceSelector?.matchExpressions ?? []),
    { key: NAMESPACE_NAME, operator: 'NotIn', values } as const,
  ]
  return { ...namespaceSelector, matchExpressions }
}

/** An older API server refuses the field and asks about the webhook's own writes too: they pass as a controller's (CV-7). */
const MATCH_CONDITIONS_SINCE = 30

function clientConfig(door: string, { namespace, webhookUrl, secretPath, ca }: Reach): Manifest {
  const path = secretPath === undefined ? door : `/${secretPath}${door}`
  const trust = ca === undefined ? {} : { caBundle: Buffer.from(ca).toString('base64') }
  if (webhookUrl !== undefined) return { url: webhookUrl.replace(/\/$/, '') + path, ...trust }
  return { service: { namespace, name: SERVICE, path, port: 443 }, ...trust }
}

function ruleOf({ kind: { resource }, door }: RuleMatch): Manifest {
  const { group, version, plural, scope } = resource
  const resources = [door.subresource === undefined ? plural : `${plural}/${door.subresource}`]
  return { apiGroups: [group], apiVersions: [version], operations: door.operations, resources, scope }
}
