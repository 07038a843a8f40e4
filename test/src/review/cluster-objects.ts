import type { Built } from '../../../src/cluster/port.ts'
import { aTTemplate } from '../../support/builders/templates.ts'

/** As stored: with all that the API server writes. */
export function stored(object: Built, second = 0): Built {
  const creationTimestamp = `2026-11-18T12:00:${String(second).padStart(2, '0')}Z`
  const managedFields = [{ manager: 'kubectl', operation: 'Update' }]
  const metadata = { ...object.metadata, creationTimestamp, uid: `uid-${object.metadata.name}`, managedFields }
  return { ...object, metadata: { ...metadata, resourceVersion: '7' } }
}
export const root = (name: string, second?: number) => stored(aTTemplate({ name }), second)
export const child = (name: string, parent: string, second?: number) => stored(aTTemplate({ name, parent }), second)
export const OURS = { apiVersion: 'k8s.tars.io/v1beta2' }
export function aTTree(name: string, second: number): Built {
  const object = { ...OURS, kind: 'TTree', metadata: { name, namespace: 'demo' } }
  return stored({ ...object, businesses: [], apps: [] }, second)
}
