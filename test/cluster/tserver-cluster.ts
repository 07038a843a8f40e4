import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'

export const cluster = theCluster()
export const namespace = 'servers'
export const inNamespace = `--namespace=${namespace}`

export const API = 'k8s.tars.io/v1beta2'
export const RELEASE = { id: 'r1', image: 'registry.example/demo/echo:r1' }

/** What an author has to write, and no more. */
export function server(name: string, spec: object = {}, metadata: object = {}): object {
  const tars = { template: 'tars.cpp', servants: [{ name: 'EchoObj', port: 18600 }] }
  const usual = { app: 'Demo', server: name, subType: 'tars', tars, k8s: {} }
  return {
    apiVersion: API,
    kind: 'TServer',
    metadata: { name: `demo-${name.toLowerCase()}`, ...metadata },
    spec: { ...usual, ...spec },
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
