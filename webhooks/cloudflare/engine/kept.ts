import type { Controller } from '../../kit/controller.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { type CredentialUsers, usersAmong } from '../access/credential-users.ts'
import { type RemoteParts, remoteController } from './controller.ts'
import type { Contending } from './rivals.ts'
import type { RemoteTable } from './table.ts'

/** What the family does for a kind, by its table alone. */
interface Kept {
  readonly controller: (parts: RemoteParts) => Controller
  readonly users: CredentialUsers
}

/** `others` may claim the same. */
export function keptBy<T extends KubeObject, A>(table: RemoteTable<T, A>, others: readonly Contending[] = []): Kept {
  return { controller: (parts) => remoteController(table, parts, others), users: usersAmong(table) }
}
