import { issueAuthority, issueLeaf } from '../../certs/authority.ts'

/** How the API server calls us inside a cluster. */
export const SERVICE = 'tars-webhook-service.tars-system.svc'

export const AUTHORITY = await issueAuthority(new Date())

/** Of one CA and for one server, so that callers who trust the CA take either. */
export function aPair(hosts: readonly string[] = ['127.0.0.1', SERVICE]) {
  return issueLeaf(AUTHORITY, hosts, new Date())
}
