/**
 * Failures of the outside world, by code. A refused object is no fault: it is a list of violations.
 * `retry`: the same request may succeed a moment later.
 */
export const FAULTS = {
  BODY_EMPTY: { status: 400, retry: false },
  BODY_NOT_JSON: { status: 400, retry: false },
  BODY_TOO_DEEP: { status: 400, retry: false },
  BODY_TOO_DENSE: { status: 413, retry: false },
  BODY_TOO_LARGE: { status: 413, retry: false },
  MEDIA_TYPE: { status: 415, retry: false },
  REVIEW_VERSION: { status: 400, retry: false },
  REVIEW_KIND: { status: 400, retry: false },
  REQUEST_MISSING: { status: 400, retry: false },
  REQUEST_MALFORMED: { status: 400, retry: false },
  UID_MISSING: { status: 400, retry: false },
  OPERATION_UNKNOWN: { status: 400, retry: false },
  OBJECT_MISSING: { status: 400, retry: false },
  OLD_OBJECT_MISSING: { status: 400, retry: false },
  CALLER_UNKNOWN: { status: 403, retry: false },
  PATH_UNKNOWN: { status: 404, retry: false },
  HANDLER_FAILED: { status: 500, retry: false },
  OVERLOADED: { status: 429, retry: true },
  DEADLINE: { status: 503, retry: true },
  THREAD_LOST: { status: 503, retry: true },
  CLUSTER_UNREACHABLE: { status: 503, retry: true },
  ANSWER_TOO_LARGE: { status: 503, retry: true },
  CLUSTER_REFUSED: { status: 502, retry: false },
  NOT_LEADING: { status: 503, retry: true },
  CONFLICT: { status: 409, retry: true },
  GONE: { status: 404, retry: false },
  USAGE: { status: 400, retry: false },
  FILE_UNREADABLE: { status: 400, retry: false },
  ADDRESS_UNUSABLE: { status: 500, retry: false },
  CERTIFICATE: { status: 500, retry: false },
  STORE_UNREACHABLE: { status: 503, retry: true },
  STORE_REFUSED: { status: 502, retry: false },
  STORE_ANSWER: { status: 502, retry: false },
  STORE_SENDS_NO_CHANGES: { status: 501, retry: false },
  REMOTE_FAILED: { status: 503, retry: true },
  REMOTE_THROTTLED: { status: 429, retry: true },
  REMOTE_DENIED: { status: 502, retry: false },
  REMOTE_REFUSED: { status: 502, retry: false },
  UPSTREAM_RUNS: { status: 409, retry: false },
} as const

export type FaultCode = keyof typeof FAULTS

interface FaultOptions extends ErrorOptions {
  readonly retryAfterMs?: number | undefined
}

export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  /** The time after which the system that refused wants to be asked again. */
  readonly retryAfterMs: number | undefined

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options)
    this.code = code
    this.retryAfterMs = options.retryAfterMs
  }

  get status(): number {
    return FAULTS[this.code].status
  }

  get retry(): boolean {
    return FAULTS[this.code].retry
  }
}
