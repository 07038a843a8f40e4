import { canonical } from '../../../src/kube/canonical-json.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import type { TunnelConfig } from './merge.ts'

/** How the configuration at Cloudflare differs from the one that was sent (CF-AGG-17). */
export interface ConfigDrift {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

const ingressOf = (config: Tree | null): readonly Tree[] =>
  Array.isArray(config?.ingress) ? config.ingress.filter((rule) => isTree(rule)) : []
const textIn = (value: unknown) => (typeof value === 'string' ? value : '')

/** Of a configuration as Cloudflare answers it, or as it is sent. */
export function hostnamesIn(config: Tree | null): readonly string[] {
  const hostnames = ingressOf(config).map(({ hostname }) => textIn(hostname).toLowerCase())
  return [...new Set(hostnames)].filter((hostname) => hostname !== '')
}

/** The rules of a hostname that we do not have: of other teams, or made in the dashboard (CF-AGG-18). */
export function foreignRulesIn(remote: Tree | null, own: TunnelConfig): readonly string[] {
  const ours = new Set(own.ingress.map(matchOf))
  return ingressOf(remote)
    .filter(({ hostname }) => textIn(hostname) !== '')
    .map(matchOf)
    .filter((match) => !ours.has(match))
}
const matchOf = ({ hostname, path }: Tree) =>
  [textIn(hostname).toLowerCase(), textIn(path)].filter((text) => text !== '').join(' ')

/** Nothing where both say the same, whatever empty fields they write. */
export function driftBetween(remote: Tree | null, own: TunnelConfig): ConfigDrift | undefined {
  if (canonical(comparable(remote ?? {})) === canonical(comparable({ ...own }))) return undefined
  const [there, ours] = [new Set(hostnamesIn(remote)), new Set(hostnamesIn({ ...own }))]
  return { added: [...there.difference(ours)], removed: [...ours.difference(there)] }
}
function comparable({ ingress, originRequest, 'warp-routing': warp }: Tree): unknown {
  const { enabled = false } = isTree(warp) ? warp : {}
  return withoutEmpty({ ingress, originRequest, enabled })
}
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (!isTree(value)) return value
  const fields = Object.entries(value).map(([key, each]) => [key, withoutEmpty(each)] as const)
  return Object.fromEntries(fields.filter(([, each]) => !isEmpty(each)))
}
const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (isTree(value) && Object.keys(value).length === 0)

const FEW = 10
/** More than half of the hostnames, and more than ten (CF-AGG-23). */
export function isMassRemoval(sent: readonly string[], next: readonly string[]): boolean {
  const kept = new Set(next)
  const removed = sent.filter((hostname) => !kept.has(hostname)).length
  return removed > FEW && removed * 2 > sent.length
}

/** The rule that Cloudflare calls bad (1056), counted from one; nothing where it names none. */
export function badRuleIn(message: string): number | undefined {
  const [, number] = /Rule #([0-9]{1,6})(?![0-9])/.exec(message) ?? []
  return number === undefined ? undefined : Number(number)
}
