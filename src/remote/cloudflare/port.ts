import { Fault, type FaultCode } from '../../faults.ts'
import type { Tree } from '../../schema.ts'

export type CloudflareMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A call of the API, as a row of a table. */
export interface CloudflareCall<R> {
  readonly method: CloudflareMethod
  /** Each word in braces is a parameter, and one segment: `/zones/{zone}/dns_records/{id}`. */
  readonly path: string
  /** Of a list in pages: the most items that a page may have, where the API takes fewer than usual. */
  readonly perPage?: number
  /** What does not fit is a failure of the API, and never passed on (CF-API-01). */
  readonly is: (result: unknown) => result is R
}

export interface CloudflareToken {
  readonly token: string
}
export interface CloudflareKey {
  readonly key: string
  readonly email: string
}
/** An API token, or a global key and its address. It never reaches an error or a log. */
export type CloudflareAccess = CloudflareToken | CloudflareKey

export interface CloudflareQuestion {
  readonly access: CloudflareAccess
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: Tree
  readonly signal?: AbortSignal
}

/** What of Cloudflare is asked and done. It knows nothing of owners and of priorities. */
export interface Cloudflare {
  /** Asks once: nothing is tried again inside a call. Throws a CloudflareFault. */
  ask<R>(call: CloudflareCall<R>, question: CloudflareQuestion): Promise<R>
  /** All items of a list that is answered in pages (CF-API-02). */
  list<R>(call: CloudflareCall<readonly R[]>, question: CloudflareQuestion): Promise<readonly R[]>
  /** Milliseconds, monotonic: how old something is that was answered. */
  tick(): number
  /** Ends early when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 up to 1, for jitter. */
  random(): number
}

export interface CloudflareOptions {
  /** The base of all paths. Plain http is for loopback alone. */
  readonly url: string
  readonly requestsPerFiveMinutes: number
}
export type OpenCloudflare = (options: CloudflareOptions) => Cloudflare

interface Failed {
  /** Zero where there was no answer. */
  readonly httpStatus?: number
  /** Of the errors in the answer; failures are told apart by these, and never by a message. */
  readonly codes?: readonly number[]
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/**
 * REMOTE_FAILED: the API did not answer as an API does. REMOTE_THROTTLED: there were too many calls with these
 * credentials. REMOTE_DENIED: the credentials are not accepted. REMOTE_REFUSED: the answer is no.
 */
export type CloudflareFaultCode = Extract<FaultCode, `REMOTE_${string}`>

export class CloudflareFault extends Fault {
  declare readonly code: CloudflareFaultCode
  readonly httpStatus: number
  readonly codes: readonly number[]

  constructor(code: CloudflareFaultCode, message: string, failed: Failed = {}) {
    super(code, message, { cause: failed.cause, retryAfterMs: failed.retryAfterMs })
    this.httpStatus = failed.httpStatus ?? 0
    this.codes = failed.codes ?? []
  }
}
