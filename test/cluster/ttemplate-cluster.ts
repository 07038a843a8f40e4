import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'

export const cluster = theCluster()
export const namespace = 'templates'
export const inNamespace = `--namespace=${namespace}`

export function template(name: string, parent: string, metadata: object = {}): object {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TTemplate',
    metadata: { name, ...metadata },
    spec: { parent, content: '<tars>\n</tars>' },
  }
}
export function kubectl(
  verb: string,
  objects: object | readonly object[],
  ...flags: readonly string[]
): Promise<Printed> {
  const stdin = [objects]
    .flat()
    .map((object) => JSON.stringify(object))
    .join('\n---\n')
  return cluster.kubectl([verb, inNamespace, '-f', '-', ...flags], { stdin })
}
export const on = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])
