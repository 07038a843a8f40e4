import type { CloudflareError } from './envelope.ts'
import { CloudflareFault, type CloudflareFaultCode } from './port.ts'

/** What is said of a call: `POST /zones/{zone}/dns_records`, without the parameters. */
export type CallName = string

export interface Unsuccessful {
  readonly httpStatus: number
  readonly errors: readonly CloudflareError[]
}

/** The API's own words, of a status other than 2xx. */
export function refusal(call: CallName, { httpStatus, errors }: Unsuccessful): CloudflareFault {
  const codes = errors.map(({ code }) => code)
  return new CloudflareFault(codeOf(httpStatus), `Cloudflare answers ${httpStatus} to ${call}${said(errors)}`, {
    httpStatus,
    codes,
  })
}

/** By the status alone: a body says many things. */
function codeOf(httpStatus: number): CloudflareFaultCode {
  if (httpStatus === 401 || httpStatus === 403) return 'REMOTE_DENIED'
  return httpStatus >= 400 && httpStatus < 500 && httpStatus !== 408 ? 'REMOTE_REFUSED' : 'REMOTE_FAILED'
}

export function throttled(call: CallName, retryAfterMs: number): CloudflareFault {
  const seconds = Math.ceil(retryAfterMs / 1_000)
  return new CloudflareFault('REMOTE_THROTTLED', `${call} waits ${seconds} s for the rate limit of Cloudflare`, {
    httpStatus: 429,
    retryAfterMs,
  })
}

export function failure(call: CallName, what: string, options: ConstructorParameters<typeof CloudflareFault>[2] = {}) {
  return new CloudflareFault('REMOTE_FAILED', `${call}: ${what}`, options)
}

function said(errors: readonly CloudflareError[]): string {
  const words = errors.map(({ code, message }) => [code || '', message].filter(Boolean).join(' ')).filter(Boolean)
  return words.length === 0 ? '' : `: ${words.join('; ')}`
}
