import type { Notice } from '../../kit/controller.ts'
import { type Gvr, isTree, type KubeObject, type Tree } from '../../kit/schema.ts'
import type { Rejection } from '../aggregation/shared-config-map.ts'
import { configMapName } from '../aggregation/sources.ts'
import { TUNNEL_BINDING } from '../tunnelbinding/schema.ts'
import type { SourceMember } from './members.ts'
import type { TunnelSeen } from './seen.ts'
import type { TunnelOutcome } from './step.ts'

/** Larger ones are told of before they are too large (CF-AGG-19). */
const LARGE_BYTES = 700 * 1_024

interface OfRule {
  readonly reason: 'DuplicateRule' | 'RuleShadowed' | 'InvalidRule' | 'DurationRounded'
}
interface OfObject {
  readonly reason: 'RuleSkipped' | 'ServiceNotFound' | 'InvalidAnnotation' | 'Unsupported' | 'WeightsUnsupported'
}
interface OfClass {
  readonly reason: 'ConfigError' | 'Deprecated'
}
interface OfConfig {
  readonly reason: 'ParseError' | 'ForeignConfigMap' | 'TunnelConfigLarge' | 'TunnelConfigTooLarge' | 'MassRemoval'
}
interface OfSync {
  readonly reason: 'DriftDetected' | 'ForeignRules' | 'SyncFailed'
}
interface Said {
  /** Of a source, or nothing for the tunnel itself. */
  readonly key?: string
  readonly reason: (OfRule | OfObject | OfClass | OfConfig | OfSync)['reason']
  readonly message: string
}
export interface ToldEvents {
  readonly notices: readonly Notice[]
  /** All that holds now. */
  readonly all: readonly string[]
}

const REJECTED = {
  TooLarge: 'TunnelConfigTooLarge',
  ParseError: 'ParseError',
  ForeignConfigMap: 'ForeignConfigMap',
} as const satisfies Record<Rejection, OfConfig['reason']>

/** What authors have to know, each once while it holds. */
export function told(seen: TunnelSeen, outcome: TunnelOutcome | undefined, before: readonly string[]): ToldEvents {
  const said = [...ofObjects(seen), ...ofConfig(seen, outcome)]
  const known = new Set(before)
  const isNew = (each: Said) => !known.has(wordsOf(each))
  const all = new Set([...(outcome?.sent.isAsBefore === false ? [] : before), ...said.map(wordsOf)])
  return { notices: said.filter(isNew).map((each) => noticeOf(each, seen)), all: [...all] }
}
const wordsOf = ({ key = '', reason, message }: Said) => `${reason} ${key} ${message}`

function ofObjects({ contributed, unclear, isFirst, state }: TunnelSeen): readonly Said[] {
  const deprecated = contributed.flatMap(({ member, source }) =>
    member.of === TUNNEL_BINDING && generationOf(member.key, state.content) !== source.generation
      ? [{ key: member.key, reason: 'Deprecated', message: DEPRECATED } as const]
      : [],
  )
  const notes = contributed.flatMap(({ member: { key }, notes }) => notes.map((note) => ({ key, ...note })))
  const problems = isFirst ? unclear.flatMap(problemOf) : []
  return [...deprecated, ...notes, ...problems]
}
const DEPRECATED = 'a TunnelBinding is deprecated: an Ingress or an HTTPRoute publishes the same'
/** Of the source as it was written. */
function generationOf(key: string, { sources }: Tree): unknown {
  const source = isTree(sources) ? sources[key] : undefined
  return isTree(source) ? source.generation : undefined
}
const problemOf = ({ key, standing }: SourceMember): readonly Said[] =>
  standing.is === 'unclear' && standing.problem !== undefined
    ? [{ key, reason: 'ConfigError', message: standing.problem }]
    : []

function ofConfig({ stored, tunnelId }: TunnelSeen, outcome: TunnelOutcome | undefined): readonly Said[] {
  const problem = stored?.problem === undefined ? [] : [stored.problem]
  if (outcome === undefined) return problem
  const { rejected, sent, left } = outcome
  const isLarge = (left?.bytes ?? 0) > LARGE_BYTES
  const size: readonly Said[] = isLarge
    ? [
        {
          reason: 'TunnelConfigLarge',
          message: `ConfigMap ${configMapName(tunnelId)} is near the size that it may have`,
        },
      ]
    : []
  const { status, message = '' } = sent.state ?? {}
  const isBlocked = status === 'Blocked'
  const isFailed = status === 'Error' && problem.length === 0
  const blocked = isBlocked ? [{ reason: 'ForeignRules', message } as const] : []
  const failed = isFailed ? [{ reason: 'SyncFailed', message } as const] : []
  const tooLarge = rejected.map(({ key, reason, message: why }) => ({ key, reason: REJECTED[reason], message: why }))
  const findings = sent.findings.map(({ source: { key }, reason, message }) => ({ key, reason, message }))
  return [...problem, ...size, ...blocked, ...failed, ...sent.notices, ...tooLarge, ...findings]
}

function noticeOf({ key, reason, message }: Said, seen: TunnelSeen): Notice {
  const members = [...seen.contributed.map(({ member }) => member), ...seen.unclear]
  const member = key === undefined ? undefined : members.find((each) => each.key === key)
  const [tunnel] = seen.tunnels
  const about = member ?? tunnel
  return { type: 'Warning', reason, message, ...(about && { about: aboutOf(about) }) }
}
function aboutOf({ of, object: { metadata } }: { readonly of: Gvr; readonly object: KubeObject }) {
  const { namespace = '', name, uid = '' } = metadata
  return { of, ref: { namespace, name }, uid }
}
