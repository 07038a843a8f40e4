import { readFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { request as open } from 'node:https'
import type { ServiceAccount } from '../cluster/client.ts'
import type { ControlPlane } from '../cluster/control-plane.ts'
import { until } from '../cluster/until.ts'

export const NAMESPACE = 'demo'
export const TEMPLATES = `/apis/k8s.tars.io/v1beta2/namespaces/${NAMESPACE}/ttemplates`

interface Jammed {
  readonly control: ControlPlane
  readonly account: ServiceAccount
}

const LEVEL = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations'
const SCHEMA = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas'
const BINDING = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
const JAM = 'jam'

/**
 * Real 429s, with the Retry-After that priority and fairness gives: the caller shares a level without any share with
 * another one whose request does not end. (One request at a time is served even there: measured.)
 */
export async function jam({ control, account }: Jammed): Promise<ClientRequest> {
  const none = { nominalConcurrencyShares: 0, lendablePercent: 0, borrowingLimitPercent: 0 }
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }
  const ann = { kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io' }
  const subjects = [
    { kind: 'ServiceAccount', serviceAccount: account },
    { kind: 'User', user: { name: 'ann' } },
  ]
  await post(control, BINDING, { roleRef: { kind: 'ClusterRole', name: 'cluster-admin' }, subjects: [ann] })
  await post(control, LEVEL, { spec: { type: 'Limited', limited: { ...none, limitResponse: { type: 'Reject' } } } })
  await post(control, SCHEMA, {
    spec: {
      priorityLevelConfiguration: { name: JAM },
      matchingPrecedence: 3, // after those of the API server itself
      rules: [{ subjects, resourceRules: [everything] }],
    },
  })
  const endless = requestWithoutEnd(control)
  await until('the caller is throttled', async () =>
    (await Promise.all(MANY.map(() => statusFor(control, account)))).every(is429),
  )
  return endless
}

const MANY = [1, 2, 3]
const is429 = (status: number) => status === 429

export async function unjam({ control, account }: Jammed, endless: ClientRequest): Promise<void> {
  endless.destroy()
  for (const path of [SCHEMA, LEVEL]) await control.request('DELETE', `${path}/${JAM}`)
  await until('the caller gets through', async () => (await statusFor(control, account)) === 200)
}

async function post({ request }: ControlPlane, path: string, more: object): Promise<void> {
  const { status, body } = await request('POST', path, { metadata: { name: JAM }, ...more })
  if (status !== 201) throw new Error(`no jam, but ${status}: ${JSON.stringify(body)}`)
}

/** Announces a body, and sends none of it. */
function requestWithoutEnd({ url, ca, tokens }: ControlPlane): ClientRequest {
  const headers = {
    authorization: `Bearer ${tokens.ann}`,
    'content-type': 'application/json',
    'content-length': '100',
  }
  const path = '/api/v1/namespaces/default/configmaps'
  const endless = open(new URL(path, url), { method: 'POST', headers, ca: readFileSync(ca), agent: false })
  endless.on('error', () => {}).flushHeaders()
  return endless
}

async function statusFor({ request }: ControlPlane, as: ServiceAccount): Promise<number> {
  const { status } = await request('GET', TEMPLATES, undefined, { as })
  return status
}
