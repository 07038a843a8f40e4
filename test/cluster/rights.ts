import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import type { ServiceAccount } from './client.ts'

/** What an account has asked of the API server so far, as `verb resource`, sorted, by the audit log. */
export function rightsUsed(auditLog: string, { namespace, name }: ServiceAccount): readonly string[] {
  const username = `system:serviceaccount:${namespace}:${name}`
  const entries = readFileSync(auditLog, 'utf8')
    .split('\n')
    .filter((line) => line.includes(username))
    .map((line) => JSON.parse(line))
    .filter(({ user, objectRef }) => user.username === username && objectRef)
  return [...new Set(entries.map(({ verb, objectRef }) => `${verb} ${objectRef.resource}`))].sort()
}

/** What the printed roles give, in the same words. */
export function rightsGranted(manifests: string): readonly string[] {
  const roles = parseAllDocuments(manifests).map((document) => document.toJS())
  const rights = roles.flatMap(({ rules = [] }) =>
    rules.flatMap(({ verbs, resources }: { verbs: readonly string[]; resources: readonly string[] }) =>
      verbs.flatMap((verb) => resources.map((resource) => `${verb} ${resource}`)),
    ),
  )
  return rights.sort()
}
