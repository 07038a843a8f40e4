import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Cluster } from '../client.ts'
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

async function fill(volume: Volume, pod: Pod, cluster: Cluster, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  if (volume.emptyDir !== undefined) return
  if (volume.projected === undefined) throw new Error(`no such volumes here: ${JSON.stringify(volume)}`)
  for (const source of volume.projected.sources) {
    for (const [path, content] of await filesOf(source, pod, cluster)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content, { mode: 0o644 })
    }
  }
}

async function filesOf(source: Source, pod: Pod, cluster: Cluster): Promise<readonly (readonly [string, string])[]> {
  const { serviceAccountToken, configMap, downwardAPI } = source
  const { namespace } = pod.metadata
  if (serviceAccountToken) return [[serviceAccountToken.path, await tokenFor(pod, cluster, serviceAccountToken)]]
  if (configMap) {
    const { body } = await cluster.request('GET', `/api/v1/namespaces/${namespace}/configmaps/${configMap.name}`)
    const { data } = JSON.parse(JSON.stringify(body))
    return configMap.items.map(({ key, path }) => [path, data[key]] as const)
  }
  if (downwardAPI?.items.every(({ fieldRef }) => fieldRef.fieldPath === 'metadata.namespace')) {
    return downwardAPI.items.map(({ path }) => [path, namespace] as const)
  }
  throw new Error(`no such source here: ${JSON.stringify(source)}`)
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
