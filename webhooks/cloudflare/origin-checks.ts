import { isHostname } from './hostnames.ts'

/** What cloudflared checks of a rule (CF-AGG-13): each answers what is wrong, or nothing. */
export type OriginCheck = (written: string) => string | undefined

const WORDS = ['hello_world', 'hello-world', 'bastion', 'socks-proxy']
const URL_OF_ORIGIN = /^[a-z][a-z0-9+.-]{0,30}:\/\/([^/?#@\s]{1,300})$/i

export const flawOfService: OriginCheck = (service) => {
  const [, status] = /^http_status:([0-9]{1,4})$/.exec(service) ?? []
  if (status !== undefined) return Number(status) >= 100 && Number(status) <= 999 ? undefined : 'is no status of HTTP'
  if (WORDS.includes(service) || /^unix(\+tls)?:./.test(service)) return undefined
  if (!URL_OF_ORIGIN.test(service) || !URL.canParse(service))
    return 'is no service: a URL with a host and without a path'
  return undefined
}

export const flawOfHostname: OriginCheck = (hostname) =>
  isHostname(hostname) ? undefined : 'is no hostname; * may only be its whole first label'

/** Durations of Go. */
export const flawOfDuration: OriginCheck = (duration) =>
  /^([0-9]{1,9}(\.[0-9]{1,9})?(ns|us|µs|ms|s|m|h)){1,8}$/.test(duration) ? undefined : 'is no duration like 30s'

/** Escapes that RE2 knows; of letters and digits it takes no others. */
const ESCAPE = /\\([^A-Za-z1-9]|[AaBbDdEfnPpQrSstvWwxz])/g
/** What JavaScript takes and RE2 does not. */
const NOT_RE2 = /\(\?<?[=!]|\(\?>|\\[A-Za-z1-9]|[*+?}]\+/
const MOST_REPEATS = 1_000

/** A regular expression of RE2, as far as it can be told without RE2. */
export const flawOfPath: OriginCheck = (path) => {
  const plain = path.replaceAll(ESCAPE, '_')
  if (NOT_RE2.test(plain))
    return 'has what RE2 does not know: look-around, back-references, possessive repeats or other escapes'
  const repeats = [...plain.matchAll(/\{([0-9]{1,9})(?:,([0-9]{0,9}))?\}/g)].flatMap(([, ...bounds]) =>
    bounds.map(Number),
  )
  if (repeats.some((bound) => bound > MOST_REPEATS)) return 'repeats more than 1000 times'
  return isPattern(path) ? undefined : 'is no regular expression'
}

/** In the words of JavaScript; it is only read, and never run. */
function isPattern(path: string): boolean {
  const own = path
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?[imsU-]{1,8}:/g, '(?:')
    .replaceAll(/\(\?[imsU-]{1,8}\)/g, '')
  try {
    return new RegExp(own) !== undefined
  } catch {
    return false
  }
}
