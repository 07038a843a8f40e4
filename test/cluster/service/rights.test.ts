import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from '../cluster.ts'
import { expectDone, IDENTITY, tarsAdmission } from '../product.ts'
import { rightsGranted, rightsUsed } from '../rights.ts'
import { type Installation, installed } from './installed.ts'
import { template } from './load.ts'

const cluster = theCluster()
let ours: Installation

beforeAll(async () => {
  ours = await installed(cluster)
}, 120_000)

describe('pods under the token of their own service account', () => {
  it('have the rights that they use, and use all that they have (SC-2)', async () => {
    // Of two names in two namespaces, since what is only used of one need not be given of all.
    for (const namespace of ['default', 'kube-public']) await useAllRights(namespace)
    expect(rightsUsed(cluster.auditLog, IDENTITY)).toEqual(
      rightsGranted(await tarsAdmission('manifests', '--set', 'rbac')),
    )
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

/** What a webhook does not ask by itself: a look at a parent that is not there, and who uses what is deleted. */
async function useAllRights(namespace: string): Promise<void> {
  const inNamespace = `--namespace=${namespace}`
  const create = (object: object) =>
    cluster.kubectl(['create', inNamespace, '-f', '-'], { stdin: JSON.stringify(object) })
  expect((await create(template('alone', `nobody-in-${namespace}`))).stderr).toContain('(TT-V2)')
  expectDone(await create(template('brief', 'brief')))
  expectDone(await cluster.kubectl(['delete', 'tt', 'brief', inNamespace]))
}

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
