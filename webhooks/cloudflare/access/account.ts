import type { CloudflareCall, CloudflareQuestion } from '../../kit/cloudflare.ts'
import type { ReadyReason } from '../conditions.ts'

/** Why nothing can be done for an object now, and what mends it. */
export interface Obstacle {
  readonly reason: Extract<ReadyReason, 'CredentialError' | 'DependencyNotReady' | 'InvalidConfig'>
  readonly message: string
}
export const isObstacle = (value: object): value is Obstacle => 'reason' in value && 'message' in value

/** An account, by names alone: what a step of a plan carries. */
export interface AccountRef {
  readonly id: string
  /** Name of the CloudflareCredentials. */
  readonly credentials: string
}
/** What a list is read once for: credentials, and the account where the path has it. */
export const listKeyOf = ({ id, credentials }: AccountRef, path: string) =>
  JSON.stringify(path.includes('{account}') ? [credentials, id] : [credentials])

export type AccountQuestion = Omit<CloudflareQuestion, 'access'>

/** An account that can be asked. The parameter `account` of a path is its id. It holds the token, and shows it nowhere. */
export interface RemoteAccount extends AccountRef {
  ask<R>(call: CloudflareCall<R>, question?: AccountQuestion): Promise<R>
  /** All pages of a list. */
  list<R>(call: CloudflareCall<readonly R[]>, question?: AccountQuestion): Promise<readonly R[]>
}
