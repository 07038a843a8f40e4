import { isTree, type Tree } from '../../kit/schema.ts'
import { ownerName } from '../ownership.ts'

/** A lower number wins (CF-AGG-07). */
export const PriorityTunnelSettings = 10
export const PriorityBinding = 50
export const PriorityIngress = 100
export const PriorityGateway = 100
const PriorityExternal = 1_000
const PRIORITY_OF: ReadonlyMap<string, number> = new Map([
  ['Tunnel', PriorityTunnelSettings],
  ['ClusterTunnel', PriorityTunnelSettings],
  ['TunnelBinding', PriorityBinding],
  ['Ingress', PriorityIngress],
  ['HTTPRoute', PriorityGateway],
])

/** What one object contributes to the configuration of a tunnel. */
export interface TunnelSource {
  readonly key: string
  readonly kind: string
  /** Empty for kinds without a namespace. */
  readonly namespace: string
  readonly name: string
  readonly priority: number
  /** That of the object. An unknown one is empty, and so counts as the oldest. */
  readonly createdAt: string
  readonly settings: TunnelSettings
  readonly rules: readonly TunnelRule[]
}
export interface TunnelSettings {
  /** An explicit false is a setting, too. */
  readonly warpRouting?: boolean
  readonly fallbackTarget?: string
  readonly originRequest?: Tree
}
export interface TunnelRule {
  /** Empty for every host, as the path is for every path. */
  readonly hostname: string
  readonly path: string
  readonly service: string
  readonly originRequest?: Tree
  readonly priority: number
  /** A field of another type than it should be. */
  readonly misfit?: string
}

/** `Kind/Namespace/Name`, or `Kind/Name`. */
export const sourceKey = (kind: string, namespace: string, name: string) => ownerName({ kind, namespace, name })
export const configMapName = (tunnelID: string) => `tunnel-config-${tunnelID}`

/** The sources of `config.json`, in the order of their keys; or what is wrong with them (CF-AGG-03). */
export function sourcesIn({ sources = {} }: Tree): readonly TunnelSource[] | string {
  if (!isTree(sources)) return 'sources is no object'
  const found: TunnelSource[] = []
  for (const key of Object.keys(sources).sort()) {
    const source = sourceIn(key, sources[key])
    if (typeof source === 'string') return `source ${JSON.stringify(key.slice(0, 200))} ${source}`
    found.push(source)
  }
  return found
}

function sourceIn(key: string, written: unknown): TunnelSource | string {
  if (!isTree(written)) return 'is no object'
  const { rules = [], settings = {} } = written
  if (!Array.isArray(rules)) return 'has rules that are no list'
  if (!isTree(settings)) return 'has settings that are no object'
  const named = namedBy(key)
  const kind = textOr(written.kind, named.kind)
  const priority = priorityIn(written.priority) ?? PRIORITY_OF.get(kind) ?? PriorityExternal
  return {
    key,
    kind,
    namespace: textOr(written.namespace, named.namespace),
    name: textOr(written.name, named.name),
    priority,
    createdAt: textOr(written.createdAt, ''),
    settings: settingsIn(settings),
    rules: rules.map((rule) => ruleIn(rule, priority)),
  }
}

function namedBy(key: string) {
  const [kind = '', ...names] = key.split('/')
  const [namespace = '', name = ''] = names.length > 1 ? names : ['', ...names]
  return { kind, namespace, name }
}

const textOr = (value: unknown, other: string) => (typeof value === 'string' ? value : other)
const priorityIn = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined)

/** `fallback` is the word of the seed. */
function settingsIn({ warpRouting, fallbackTarget, fallback, originRequest }: Tree): TunnelSettings {
  const target = textOr(fallbackTarget, '') || textOr(fallback, '')
  return {
    ...(typeof warpRouting === 'boolean' && { warpRouting }),
    ...(target !== '' && { fallbackTarget: target }),
    ...(isTree(originRequest) && { originRequest }),
  }
}

/** Priorities stand at rules, at sources, or at both. */
function ruleIn(written: unknown, ofSource: number): TunnelRule {
  const rule = isTree(written) ? written : {}
  const { originRequest } = rule
  const misfit = misfitIn(written)
  return {
    hostname: textOr(rule.hostname, ''),
    path: textOr(rule.path, ''),
    service: textOr(rule.service, ''),
    ...(isTree(originRequest) && { originRequest }),
    priority: priorityIn(rule.priority) ?? ofSource,
    ...(misfit !== undefined && { misfit }),
  }
}

/** What is of a wrong type must not be taken for absent: without its hostname a rule would match every host. */
function misfitIn(rule: unknown): string | undefined {
  if (!isTree(rule)) return 'is no object'
  const text = ['hostname', 'path', 'service'].find((field) => rule[field] != null && typeof rule[field] !== 'string')
  if (text !== undefined) return `has a ${text} that is no text`
  return rule.originRequest == null || isTree(rule.originRequest) ? undefined : 'has an originRequest that is no object'
}
