import { readFileSync } from 'node:fs'
import { isTree } from '../../src/schema.ts'
import type { ApiServer } from './fakes/api-server.ts'

/** The file of the CA certificate that its kubeconfig carries. */
export function caOf(server: ApiServer): string {
  const config: unknown = JSON.parse(readFileSync(server.kubeconfig(), 'utf8'))
  const [entry] = isTree(config) && Array.isArray(config.clusters) ? config.clusters : []
  return server.file('ca.crt', Buffer.from(entry.cluster['certificate-authority-data'], 'base64').toString())
}
