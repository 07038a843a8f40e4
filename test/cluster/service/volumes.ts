import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Cluster } from '../client.ts'
import { until } from '../until.ts'
import { type Pod, pathOf, type Source, type Volume } from './pod.ts'

export interface Mount {
  readonly from: string
  readonly at: string
}

/** The volumes of a pod as folders, filled as a kubelet fills them, and where its container wants them. */
export async function mountsOf(pod: Pod, cluster: Cluster, folder: string): Promise<readonly Mount[]> {
  const { containers, volumes = [] } = pod.spec
  for (const volume of volumes) await fill(volume, pod, cluster, join(folder, volume.name))
  const [{ volumeMounts = [] }] = containers
  return volumeMounts.map(({ name, mountPath }) => ({ from: join(folder, name), at: mountPath }))
}

export type Env = Readonly<Record<string, string>>

/** What the container is told, words of Secrets among it. */
export async function envOf(pod: Pod, cluster: Cluster): Promise<Env> {
  const [{ env = [] }] = pod.spec.containers
  const reported = env.map(async ({ name, value = '', valueFrom }) => {
    if (valueFrom === undefined) return [name, value]
    const { name: secret, key } = valueFrom.secretKeyRef
    const data = await dataOf(`secrets/${secret}`, pod, cluster)
    return [name, Buffer.from(data[key] ?? '', 'base64').toString()]
  })
  return Object.fromEntries(await Promise.all(reported))
}

async function fill(volume: Volume, pod: Pod, cluster: Cluster, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const [path, content] of await contentOf(volume, pod, cluster)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

type Files = readonly (readonly [path: string, content: string | Buffer])[]

async function contentOf(volume: Volume, pod: Pod, cluster: Cluster): Promise<Files> {
  const { emptyDir, secret, configMap, projected } = volume
  if (emptyDir) return []
  if (secret) {
    const data = await dataOf(`secrets/${secret.secretName}`, pod, cluster)
    return Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64')])
  }
  if (configMap) return Object.entries(await dataOf(`configmaps/${configMap.name}`, pod, cluster))
  if (projected) {
    const files = await Promise.all(projected.sources.map((source) => filesOf(source, pod, cluster)))
    return files.flat()
  }
  throw new Error(`no such volumes here: ${JSON.stringify(volume)}`)
}

async function filesOf(source: Source, pod: Pod, cluster: Cluster): Promise<Files> {
  const { serviceAccountToken, configMap, downwardAPI } = source
  if (serviceAccountToken) return [[serviceAccountToken.path, await tokenFor(pod, cluster, serviceAccountToken)]]
  if (configMap) {
    const data = await dataOf(`configmaps/${configMap.name}`, pod, cluster)
    return configMap.items.map(({ key, path }) => [path, data[key] ?? ''])
  }
  if (downwardAPI?.items.every(({ fieldRef }) => fieldRef.fieldPath === 'metadata.namespace')) {
    return downwardAPI.items.map(({ path }) => [path, pod.metadata.namespace])
  }
  throw new Error(`no such source here: ${JSON.stringify(source)}`)
}

/** Waits for it as a kubelet does: a pod can be there before the CA of a new namespace is. */
async function dataOf(name: string, pod: Pod, cluster: Cluster): Promise<Readonly<Record<string, string>>> {
  const read = () => cluster.request('GET', `/api/v1/namespaces/${pod.metadata.namespace}/${name}`)
  await until(`${name} is there`, async () => (await read()).status === 200)
  const { body } = await read()
  return JSON.parse(JSON.stringify(body)).data ?? {}
}

/** Good for this pod alone: with the pod it is void. */
async function tokenFor(pod: Pod, cluster: Cluster, wish: { readonly expirationSeconds: number }): Promise<string> {
  const { namespace, name, uid } = pod.metadata
  const spec = {
    expirationSeconds: wish.expirationSeconds,
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
  }
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${pod.spec.serviceAccountName}/token`
  const { status, body } = await cluster.request('POST', path, { spec })
  if (status !== 201) throw new Error(`no token for ${pathOf(pod)}: ${JSON.stringify(body)}`)
  return JSON.parse(JSON.stringify(body)).status.token
}
