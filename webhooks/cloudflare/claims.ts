import { sha256Of } from '../../src/kube/digests.ts'
import type { Draft } from '../kit/schema.ts'
import type { CloudflareDetails } from './fields.ts'

/** What one object claims for itself alone (CF-ONE-01). */
export interface RemoteClaim {
  /** Equal for all objects that may meet; a label is a digest of it (CF-M-02). */
  readonly natural: string
  /** Two objects with a common key of one account are a conflict. */
  readonly keys: readonly string[]
  /** What the message calls it: `CNAME api.example.com`. */
  readonly words: string
  readonly field: string
  /** Where they are known and differ, two objects do not meet. */
  readonly scope?: ClaimScope
}
export interface ClaimScope {
  readonly account?: string | undefined
  readonly credentials?: string | undefined
}
/** Nothing where the object is too incomplete to claim anything. */
export type Claiming<T> = (object: Draft<T>) => RemoteClaim | undefined

export function scopeOf({ accountId, credentialsRef }: Draft<CloudflareDetails> = {}): ClaimScope {
  return { account: accountId || undefined, credentials: credentialsRef?.name || undefined }
}

const LABEL_DIGITS = 40
export const claimLabelOf = ({ natural }: RemoteClaim) => sha256Of(natural).slice(0, LABEL_DIGITS)

/** Accounts are compared as far as the objects themselves name them. */
export function meets(one: RemoteClaim, other: RemoteClaim): boolean {
  return meetsScope(one, other) && one.keys.some((key) => other.keys.includes(key))
}
export function meetsScope(one: RemoteClaim, other: RemoteClaim): boolean {
  const differ = (of: keyof ClaimScope) => {
    const [own, its] = [one.scope?.[of], other.scope?.[of]]
    return own !== undefined && its !== undefined && own !== its
  }
  return !differ('account') && !differ('credentials')
}
