import { canonical } from '../../../src/kube/canonical-json.ts'
import { sha256Of } from '../../../src/kube/digests.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { flawOfService } from '../origin-checks.ts'
import { type SourceFinding, sifted } from './findings.ts'
import { byMatching, byPriority, type PlacedRule } from './order.ts'
import { type CrossNamespace, distinct, placedIn, shadowed, sound, upTo, withinNamespaces } from './rule-checks.ts'
import type { TunnelSource } from './sources.ts'
import { wireOriginOf } from './wire-origin.ts'

export interface MergeGiven {
  readonly maxRules: number
  readonly crossNamespace: CrossNamespace
  /** Rules that Cloudflare refused, by their identity (CF-AGG-13). */
  readonly refused?: ReadonlySet<string>
}
/** The body of the PUT (CF-AGG-11). */
export interface TunnelConfig {
  readonly ingress: readonly Tree[]
  readonly originRequest?: Tree
  readonly 'warp-routing': { readonly enabled: boolean }
}
export interface MergedTunnel {
  readonly config: TunnelConfig
  /** Those of the configuration, in its order, without the last one that matches everything. */
  readonly rules: readonly PlacedRule[]
  readonly findings: readonly SourceFinding[]
}

/** It depends on nothing but what is in the sources, and not on their order. */
export function merge(sources: readonly TunnelSource[], given: MergeGiven): MergedTunnel {
  const { fallback, originRequest, access, warpRouting, findings } = settingsOf(sources)
  const steps = siftedRules(sources, given)
  const rules = steps.rules.map((rule) => wireRuleOf(rule, access))
  const last = { service: fallback, ...(access && { originRequest: { access } }) }
  return {
    config: {
      ingress: [...rules, last],
      ...(originRequest && { originRequest }),
      'warp-routing': { enabled: warpRouting },
    },
    rules: steps.rules,
    findings: [...findings, ...steps.findings],
  }
}

function siftedRules(sources: readonly TunnelSource[], { maxRules, crossNamespace, refused = new Set() }: MergeGiven) {
  const placed = sources.toSorted(byPriority).flatMap(placedIn)
  const checked = sound(placed)
  const accepted = sifted(checked.rules, 'InvalidRule', (rule) =>
    refused.has(identityOf(rule)) ? 'Cloudflare refuses it' : undefined,
  )
  const own = withinNamespaces(accepted.rules, crossNamespace)
  const single = distinct(own.rules.toSorted(byMatching))
  const fitting = upTo(maxRules, single.rules)
  const rounded = fitting.rules.flatMap(roundedIn)
  const sifts = [checked, accepted, own, single, fitting].flatMap(({ findings }) => findings)
  return { rules: fitting.rules, findings: [...sifts, ...shadowed(fitting.rules), ...rounded] }
}

/** A rule that changes is another one, and is tried again. */
export const identityOf = ({ source, hostname, path, service, originRequest }: PlacedRule) =>
  sha256Of(canonical([source.key, hostname, path, service, originRequest]))

/** For each setting the first source that defines it counts (CF-AGG-08). */
function settingsOf(sources: readonly TunnelSource[]) {
  const ordered = sources.toSorted(byPriority)
  const findings: SourceFinding[] = []
  const fallback = ordered.flatMap((source) => fallbackIn(source, findings))[0] ?? 'http_status:404'
  const warpRouting = ordered.find(({ settings }) => settings.warpRouting !== undefined)?.settings.warpRouting ?? false
  const { access, ...origin } = originIn(ordered, findings)
  const originRequest = Object.keys(origin).length === 0 ? undefined : origin
  return { fallback, warpRouting, originRequest, access: isTree(access) ? access : undefined, findings }
}

function fallbackIn(source: TunnelSource, findings: SourceFinding[]): readonly string[] {
  const { fallbackTarget } = source.settings
  if (fallbackTarget === undefined) return []
  const flaw = flawOfService(fallbackTarget)
  if (flaw === undefined) return [fallbackTarget]
  findings.push({ reason: 'InvalidRule', source, message: `fallbackTarget is left out: it ${flaw}` })
  return []
}

/** Whole from one source: cloudflared merges that of each rule over it. */
function originIn(ordered: readonly TunnelSource[], findings: SourceFinding[]): Tree {
  const source = ordered.find(({ settings }) => settings.originRequest !== undefined)
  if (source === undefined) return {}
  const { value, flaws, rounded } = wireOriginOf(source.settings.originRequest ?? {})
  for (const flaw of flaws) findings.push({ reason: 'InvalidRule', source, message: `${flaw}, and is left out` })
  for (const name of rounded) findings.push({ reason: 'DurationRounded', source, message: roundedWords(name) })
  return value
}
const roundedWords = (name: string) => `originRequest.${name} is rounded up to whole seconds`

function roundedIn(rule: PlacedRule): readonly SourceFinding[] {
  const { rounded } = wireOriginOf(rule.originRequest ?? {})
  return rounded.map((name) => ({ reason: 'DurationRounded', source: rule.source, message: roundedWords(name) }))
}

/** cloudflared ignores the access of a tunnel, so each rule without its own gets it (CF-AGG-11). */
function wireRuleOf({ hostname, path, service, originRequest = {} }: PlacedRule, access: Tree | undefined): Tree {
  const origin = { ...(access && { access }), ...wireOriginOf(originRequest).value }
  return {
    ...(hostname !== '' && { hostname }),
    ...(path !== '' && { path }),
    service,
    ...(Object.keys(origin).length > 0 && { originRequest: origin }),
  }
}

/** Of what is sent, and of nothing else (CF-AGG-12). */
export function configHash(tunnelId: string, accountId: string, config: TunnelConfig): string {
  return sha256Of(canonical({ tunnelId, accountId, config }))
}
