import { isTree, type Tree } from '../../../src/schema.ts'
import { type MergedTunnel, type MergeGiven, merge } from '../../../webhooks/cloudflare/aggregation/merge.ts'
import { sourcesIn, type TunnelSource } from '../../../webhooks/cloudflare/aggregation/sources.ts'

/** The sources of a document, by their keys. */
export function readSources(sources: Tree): readonly TunnelSource[] {
  const found = sourcesIn({ sources })
  if (typeof found === 'string') throw new Error(found)
  return found
}

const GIVEN: MergeGiven = { maxRules: 1_000, crossNamespace: 'deny' }
export const merged = (sources: Tree, given: Partial<MergeGiven> = {}): MergedTunnel =>
  merge(readSources(sources), { ...GIVEN, ...given })

/** `hostname path` of each rule that is sent, without the last one. */
export const matchesIn = ({ config }: MergedTunnel) =>
  config.ingress.slice(0, -1).map(({ hostname, path }) => [hostname, path].filter(Boolean).join(' '))
/** `reason key` of each finding. */
export const foundIn = ({ findings }: MergedTunnel) => findings.map(({ reason, source }) => `${reason} ${source.key}`)

/** A source with one rule. */
export const aSource = (rule: Tree | string, rest: Tree = {}): Tree => ({
  rules: [{ service: 'http://a', ...(isTree(rule) ? rule : { hostname: rule }) }],
  ...rest,
})
