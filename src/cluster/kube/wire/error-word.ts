/** The one word that an error of others may pass on: its message may quote what it was given. */
export function wordFor(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown error'
  return 'code' in cause ? String(cause.code) : cause.name
}

const HUNG_UP: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

export function isHungUp(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && HUNG_UP.includes(cause.code)
}

/** Codes of OpenSSL for a certificate that cannot be verified: theirs, or ours in their eyes. */
const DISTRUST = /CERT|VERIFY|ISSUER|UNKNOWN_CA/

export function isDistrust(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && DISTRUST.test(String(cause.code))
}
