import { isTree, type Tree } from '../../kit/schema.ts'
import { flawOfDuration } from '../origin-checks.ts'

/** An originRequest as cloudflared reads it from Cloudflare. */
export interface WireOrigin {
  readonly value: Tree
  /** What is left out, since it would break the whole configuration. */
  readonly flaws: readonly string[]
  /** Durations that were no whole seconds (CF-AGG-11). */
  readonly rounded: readonly string[]
}

/** Nothing stands for a value that is left out; a text says what is wrong. */
type Wire = (value: unknown) => { readonly sent: unknown; readonly isRounded?: boolean } | string

const aFlag: Wire = (value) => (typeof value === 'boolean' ? { sent: value } : 'is neither true nor false')
const aText: Wire = (value) => (typeof value === 'string' && value.length <= 2_048 ? { sent: value } : 'is no text')
const aCount =
  (most: number): Wire =>
  (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most
      ? { sent: value }
      : `is no number from 0 to ${most}`
const aProxy: Wire = (value) => (value === '' || value === 'socks' ? { sent: value } : 'is neither empty nor socks')

/** cloudflared reads whole seconds alone, so a fraction is rounded up (CF-AGG-11). */
const aDuration: Wire = (value) => {
  if (typeof value !== 'string' || flawOfDuration(value) !== undefined) return 'is no duration like 30s'
  const nanoseconds = nanosecondsOf(value)
  const seconds = Math.max(1, Math.ceil(nanoseconds / SECOND))
  return seconds > MOST_SECONDS
    ? 'is too long for a duration'
    : { sent: seconds, isRounded: nanoseconds !== seconds * SECOND }
}
const SECOND = 1e9
/** A duration of Go has 63 bits of nanoseconds. */
const MOST_SECONDS = 9_223_372_036
const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: SECOND,
  m: 60 * SECOND,
  h: 3_600 * SECOND,
}
function nanosecondsOf(duration: string): number {
  const parts = [...duration.matchAll(/([0-9.]+)(ns|us|µs|ms|s|m|h)/g)]
  return parts.reduce((sum, [, many, unit = 's']) => sum + Math.round(Number(many) * (UNITS[unit] ?? SECOND)), 0)
}

const MOST_ITEMS = 1_000
const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= MOST_ITEMS && value.every((each) => typeof each === 'string')

/** CF-AGG-13: cloudflared refuses tags of an audience without the name of the team. */
const anAccess: Wire = (value) => {
  if (!isTree(value)) return 'is no object'
  const { required = false, teamName = '', audTag = [] } = value
  if (typeof required !== 'boolean' || typeof teamName !== 'string' || !isTextList(audTag))
    return 'has a field of a wrong type'
  if (audTag.length > 0 && teamName === '') return 'has an audTag and no teamName'
  return { sent: { required, teamName, audTag } }
}

const someIpRules: Wire = (value) => {
  if (!Array.isArray(value) || value.length > MOST_ITEMS) return 'is no list of rules'
  const rules = value.map(ipRuleIn)
  return rules.includes(undefined) ? 'has a rule without a prefix or with fields of a wrong type' : { sent: rules }
}
function ipRuleIn(rule: unknown): Tree | undefined {
  const { prefix, allow = false, ports = [] } = isTree(rule) ? rule : {}
  const isPort = (port: unknown) => Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535
  const isGood = typeof prefix === 'string' && typeof allow === 'boolean' && Array.isArray(ports) && ports.every(isPort)
  return isGood ? { prefix, allow, ports } : undefined
}

/** All that cloudflared knows; other fields are not sent (CF-CRD-03). */
const WIRE: ReadonlyMap<string, Wire> = new Map([
  ...(['connectTimeout', 'tlsTimeout', 'tcpKeepAlive', 'keepAliveTimeout'] as const).map(
    (name) => [name, aDuration] as const,
  ),
  ...(
    [
      'noHappyEyeballs',
      'noTLSVerify',
      'disableChunkedEncoding',
      'bastionMode',
      'http2Origin',
      'matchSNItoHost',
    ] as const
  ).map((name) => [name, aFlag] as const),
  ...(['httpHostHeader', 'originServerName', 'proxyAddress', 'caPool'] as const).map((name) => [name, aText] as const),
  ['keepAliveConnections', aCount(1_000_000)],
  ['proxyPort', aCount(65_535)],
  ['proxyType', aProxy],
  ['ipRules', someIpRules],
  ['access', anAccess],
])

export function wireOriginOf(written: Tree): WireOrigin {
  const value: Tree = {}
  const [flaws, rounded]: [string[], string[]] = [[], []]
  for (const [name, wire] of WIRE) {
    if (written[name] == null) continue
    const answer = wire(written[name])
    if (typeof answer === 'string') flaws.push(`originRequest.${name} ${answer}`)
    else value[name] = answer.sent
    if (typeof answer !== 'string' && answer.isRounded === true) rounded.push(name)
  }
  return { value, flaws, rounded }
}
