import { randomBytes } from 'node:crypto'
import { PasswordPool } from '../../src/remote/passwords/pool.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'

export const cluster = theCluster()
export const namespace = 'accounts'
const inNamespace = `--namespace=${namespace}`
export const path = `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}/taccounts`
export const passwords = new PasswordPool()

/** What nobody may find anywhere, once this suite is through, and what kubectl has printed meanwhile. */
export const clear: string[] = []
export const printed: string[] = []

export const fresh = () => secret(`Clear-${randomBytes(6).toString('hex')}`)
export function secret(password: string): string {
  clear.push(password)
  return password
}

export function account(username: string, authentication: object): object {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TAccount',
    metadata: { name: username },
    spec: { username, authentication, authorization: [] },
  }
}
async function noted(printing: Promise<Printed>): Promise<Printed> {
  const shown = await printing
  printed.push(shown.stdout, shown.stderr)
  return shown
}
export const kubectl = (verb: string, object: object, ...flags: readonly string[]) =>
  noted(cluster.kubectl([verb, inNamespace, '-f', '-', ...flags], { stdin: JSON.stringify(object) }))
export const on = (...args: readonly string[]) => noted(cluster.kubectl([...args, inNamespace]))
export const patch = (name: string, authentication: object) =>
  on('patch', 'taccount', name, '--type=merge', '-p', JSON.stringify({ spec: { authentication } }))

const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
export async function stored(name: string) {
  const { metadata, spec } = treeOf((await cluster.request('GET', `${path}/${name}`)).body)
  const { annotations } = treeOf(metadata)
  return { annotations: treeOf(annotations), authentication: treeOf(treeOf(spec).authentication) }
}
