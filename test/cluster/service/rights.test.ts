import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { comparable, useAllRights } from '../all-rights.ts'
import { theCluster } from '../cluster.ts'
import { IDENTITY, tarsAdmission } from '../product.ts'
import { rightsGranted, rightsUsed } from '../rights.ts'
import { type Installation, installed } from './installed.ts'

const cluster = theCluster()
let ours: Installation

beforeAll(async () => {
  ours = await installed(cluster)
}, 120_000)

/** Those of node patches are used up in the suite of rights, which has nodes and a worker. */
async function granted(...families: readonly string[]): Promise<readonly string[]> {
  return comparable(rightsGranted(await tarsAdmission('manifests', '--set', 'rbac', ...families), IDENTITY.name))
}

describe('pods under the token of their own service account', () => {
  it('have the rights that they use, and use all that they have (SC-2)', async () => {
    await useAllRights(cluster, { namespace: 'default', server: 'Echo' })
    await useAllRights(cluster, { namespace: 'kube-public', server: 'Other' })
    const used = comparable(rightsUsed(cluster.auditLog, IDENTITY))
    expect(await granted()).toEqual(expect.arrayContaining([...used]))
    expect(used).toEqual(expect.arrayContaining([...(await granted('--families', 'tars'))]))
  })
  it('are never refused by the API server', () => {
    expect(callsOfOurs().filter(({ responseStatus }) => [401, 403].includes(responseStatus.code))).toEqual([])
  })
  it('are known to it one by one: each token is bound to its pod', async () => {
    const callers = new Set(
      callsOfOurs().flatMap(({ user }) => user.extra?.['authentication.kubernetes.io/pod-name'] ?? []),
    )
    for (const { name } of await ours.pods()) expect(callers).toContain(name)
  })
})

describe('the namespace of the installation', () => {
  it('takes only pods that are restricted, such as ours (CV-3)', async () => {
    const { stderr } = await cluster.kubectl([
      'run',
      'careless',
      '--image=tea',
      '--namespace=tars-system',
      '--dry-run=server',
    ])
    expect(stderr).toContain('violates PodSecurity "restricted:latest"')
  })
})

interface Call {
  readonly user: { readonly username: string; readonly extra?: Readonly<Record<string, readonly string[]>> }
  readonly responseStatus: { readonly code: number }
}
function callsOfOurs(): readonly Call[] {
  return readFileSync(cluster.auditLog, 'utf8')
    .split('\n')
    .filter((line) => line.includes(':tars-system:tars-webhook"'))
    .map((line) => JSON.parse(line))
}
