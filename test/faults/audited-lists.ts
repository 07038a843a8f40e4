import { readFileSync } from 'node:fs'
import { isTree } from '../../src/schema.ts'
import type { ControlPlane } from '../cluster/control-plane.ts'
import { IDENTITY } from '../cluster/product.ts'

const LISTED = '/apis/k8s.tars.io/v1beta2/ttemplates'

interface AuditedCall {
  readonly uri: string
  readonly code: number
}

/** What our webhook asked of the whole kind, from the audit log. */
export function callsIn({ auditLog }: ControlPlane, since: Date): readonly AuditedCall[] {
  const events = readFileSync(auditLog, 'utf8').trimEnd().split('\n').map(parsed)
  const ours = events.filter((event) => isTree(event) && isTree(event.user) && event.user.username === USERNAME)
  return ours.flatMap((event) => {
    const { requestURI, responseStatus, stage, requestReceivedTimestamp } = isTree(event) ? event : {}
    const isMeant = stage === 'ResponseComplete' && String(requestURI).startsWith(`${LISTED}?`)
    if (!isMeant || new Date(String(requestReceivedTimestamp)) < since) return []
    return [{ uri: String(requestURI), code: isTree(responseStatus) ? Number(responseStatus.code) : 0 }]
  })
}

export const USERNAME = `system:serviceaccount:${IDENTITY.namespace}:${IDENTITY.name}`

/** Not the look of one object that tells which store it is. */
export function isList({ uri, code }: AuditedCall): boolean {
  return code === 200 && !uri.includes('watch=1') && !uri.includes('limit=1&') && !uri.endsWith('limit=1')
}

/** Its last line may have been cut off by a kill. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
