import { readFileSync } from 'node:fs'
import { isTree, type Tree } from '../../src/schema.ts'
import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'

export const cluster = theCluster()
export const namespace = 'configs'

/** Of a file of its own for each case, so that no case is in the way of another. */
export function config(configName: string, name: string, more: object = {}): object {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TConfig',
    metadata: { name },
    ...{ app: 'Demo', server: 'Echo', configName, configContent: 'a=1' },
    ...more,
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
  return cluster.kubectl([verb, `--namespace=${namespace}`, '-f', '-', ...flags], { stdin })
}
export const on = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
export const patch = (name: string, change: object, ...flags: readonly string[]) =>
  on('patch', 'tconfig', name, '--type=merge', '-p', JSON.stringify(change), ...flags)
export const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})

export async function stored(name: string): Promise<Tree> {
  const path = `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}/tconfigs/${name}`
  return treeOf((await cluster.request('GET', path)).body)
}
export async function metaOf(name: string) {
  const { labels, annotations } = treeOf((await stored(name)).metadata)
  return { labels: treeOf(labels), annotations: treeOf(annotations) }
}
export async function marksOf(name: string): Promise<unknown> {
  const { labels, annotations } = await metaOf(name)
  const marks = Object.entries(labels).filter(([key]) => /Deactivat(e|ing)$|Deleting$/.test(key))
  return { ...Object.fromEntries(marks), by: annotations['tars.io/MarkedBy'] }
}
export const UNMARKED = { by: undefined }
export const deactivatedBy = (by: string) => ({ 'tars.io/Deactivate': 'Deactivating', 'tars.io/Deactivating': '', by })
export const audited = (wanted: string) =>
  readFileSync(cluster.auditLog, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"tconfigs"') && line.includes(wanted))
    .map((line) => treeOf(JSON.parse(line)))
