import { normalName } from '../hostnames.ts'
import { flawOfHostname, flawOfPath, flawOfService } from '../origin-checks.ts'
import { findingOn, type Sifted, type SourceFinding, sifted } from './findings.ts'
import { byAge, type PlacedRule } from './order.ts'
import type { TunnelSource } from './sources.ts'
import { wireOriginOf } from './wire-origin.ts'

export function placedIn(source: TunnelSource): readonly PlacedRule[] {
  return source.rules.map((rule, index) => {
    const written = normalName(rule.hostname)
    return { ...rule, hostname: written === '*' ? '' : written, source, index }
  })
}

/** A bad rule is left out, and never blocks the others (CF-AGG-13). */
export const sound = (rules: readonly PlacedRule[]): Sifted => sifted(rules, 'InvalidRule', flawOf)

function flawOf({ misfit, hostname, path, service, originRequest = {} }: PlacedRule): string | undefined {
  if (misfit !== undefined) return misfit
  if (hostname === '' && path === '') return 'it would match everything, as the fallback of the tunnel does'
  const ofHostname = hostname === '' ? undefined : flawOfHostname(hostname)
  if (ofHostname !== undefined) return `hostname ${ofHostname}`
  if (path.length > LONGEST_PATH) return `path has more than ${LONGEST_PATH} characters`
  const ofPath = flawOfPath(path)
  if (ofPath !== undefined) return `path ${ofPath}`
  const ofService = flawOfService(service)
  if (ofService !== undefined) return `service ${ofService}`
  return wireOriginOf(originRequest).flaws[0]
}
const LONGEST_PATH = 4_096

/** Of rules for one host and path the first one counts (CF-AGG-10). Expects the final order. */
export function distinct(rules: readonly PlacedRule[]): Sifted {
  const winners = new Map<string, PlacedRule>()
  return sifted(rules, 'DuplicateRule', (rule) => {
    const match = `${rule.hostname}\n${rule.path}`
    const winner = winners.get(match)
    if (winner === undefined) winners.set(match, rule)
    return winner && `${winner.source.key} has it with priority ${winner.priority}`
  })
}

/** A rule that an earlier one of its host hides is sent all the same (CF-AGG-10). Expects the final order. */
export function shadowed(rules: readonly PlacedRule[]): readonly SourceFinding[] {
  const earlier = new Map<string, PlacedRule[]>()
  return rules.flatMap((rule) => {
    const before = earlier.get(rule.hostname) ?? []
    earlier.set(rule.hostname, before)
    const hider = before.find(({ path }) => rule.path.startsWith(path))
    before.push(rule)
    if (hider === undefined) return []
    return [findingOn(rule, 'RuleShadowed', `may never match: ${hider.source.key} has a wider rule before it`)]
  })
}

/** Rules beyond the most that a tunnel takes are left out, from the end (CF-AGG-13). */
export function upTo(most: number, rules: readonly PlacedRule[]): Sifted {
  let count = 0
  return sifted(rules, 'InvalidRule', () => {
    count += 1
    return count > most ? `a tunnel takes ${most} rules` : undefined
  })
}

export type CrossNamespace = 'deny' | 'warn' | 'allow'
/** An exact hostname belongs to the namespace whose object had it first (CF-ONE-05). */
export function withinNamespaces(rules: readonly PlacedRule[], policy: CrossNamespace): Sifted {
  const holders = new Map<string, PlacedRule>()
  for (const rule of rules.filter(isExact).toSorted(byAge))
    if (!holders.has(rule.hostname)) holders.set(rule.hostname, rule)
  const held = sifted(rules, 'DuplicateRule', (rule) => {
    const holder = isExact(rule) ? holders.get(rule.hostname)?.source : undefined
    if (holder === undefined || holder.namespace === rule.source.namespace) return undefined
    return `${holder.key} of another namespace had the hostname first`
  })
  if (policy === 'deny') return held
  return { rules, findings: policy === 'warn' ? held.findings.map(asShared) : [] }
}
const asShared = (finding: SourceFinding) => ({
  ...finding,
  message: finding.message.replace('is left out', 'is shared'),
})
const isExact = ({ hostname, source }: PlacedRule) =>
  hostname !== '' && !hostname.startsWith('*.') && source.namespace !== ''
