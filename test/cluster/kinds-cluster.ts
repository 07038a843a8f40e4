import type { Printed, User } from './client.ts'
import { theCluster } from './cluster.ts'

export const cluster = theCluster()
export const namespace = 'kinds'
export const inNamespace = `--namespace=${namespace}`

export function ours(kind: string, name: string, fields: object): object {
  return { apiVersion: 'k8s.tars.io/v1beta2', kind, metadata: { name }, ...fields }
}
export function kubectl(verb: string, object: object, as: User = 'admin'): Promise<Printed> {
  return cluster.kubectl([verb, inNamespace, '-f', '-'], { stdin: JSON.stringify(object), as })
}
export const on = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])

export async function stored(kind: string, name: string) {
  const { stdout } = await on('get', kind, name, '-o', 'json')
  return JSON.parse(stdout)
}
