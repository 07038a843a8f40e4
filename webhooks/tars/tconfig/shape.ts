import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Draft, Found, Words } from '../../kit/schema.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import { MASTER, type TConfig } from './schema.ts'

type Drafted = Draft<TConfig>

export const DEACTIVATING = [LABELS.deactivate, LABELS.deactivating] as const
export const DELETING = [LABELS.deleting] as const
export const MARKS = [...DEACTIVATING, ...DELETING] as const

export const podSeqOf = ({ podSeq }: Pick<Drafted, 'podSeq'>) => podSeq || MASTER
export const isNodeLevel = (config: Pick<Drafted, 'podSeq'>) => podSeqOf(config) !== MASTER

/** Works for full objects and for metadata-only ones, where the label decides. */
export const isFoundAtNodeLevel = ({ podSeq, metadata }: Found<TConfig>) =>
  isNodeLevel({ podSeq: podSeq ?? metadata.labels?.[LABELS.podSeq] })

/** What the author set. Marks may already have overruled it: see isInForce. */
export const isActive = ({ activated }: Pick<Drafted, 'activated'>) => activated ?? true

/** A mark counts whatever its value (D-4). */
export function hasLabel({ metadata }: Pick<Drafted, 'metadata'>, label: string): boolean {
  return metadata?.labels != null && Object.hasOwn(metadata.labels, label)
}
export const isToBeDeactivated = (config: Drafted) => DEACTIVATING.some((mark) => hasLabel(config, mark))
export const isToBeDeleted = (config: Drafted) => DELETING.some((mark) => hasLabel(config, mark))
export const isLive = (config: Drafted) => !isTerminating(config) && !isToBeDeleted(config)

interface ConfigTransition {
  readonly operation: 'CREATE' | 'UPDATE'
  readonly next: Drafted
  readonly prev?: Drafted
}
/** Either a new version in force, or the return to an old one. */
export function isActivation({ operation, next, prev }: ConfigTransition): boolean {
  return isActive(next) && (operation === 'CREATE' || (prev !== undefined && !isActive(prev)))
}

type ConfigIdentity = Pick<TConfig, 'app' | 'server' | 'configName' | 'podSeq'>

/** What authors call it: `Demo.EchoServer/echo.conf`, or `Demo/echo.conf` for a whole application. */
export function titleOf({ app, server, configName }: ConfigIdentity): string {
  return `${[app, server].filter(Boolean).join('.')}/${configName}`
}

/** Selects all versions of one file, for all pods and for single ones. */
export function familyOf({ app, server = '', configName }: ConfigIdentity): Words {
  return { [LABELS.app]: app, [LABELS.server]: server, [LABELS.configName]: configName }
}
/** Selects all versions of one file for the same pods: one of them is in force. */
export function groupOf(config: ConfigIdentity): Words {
  return { ...familyOf(config), [LABELS.podSeq]: podSeqOf(config) }
}
/** Look-ups select by label. The fields must agree where they are present; a metadata-only object has none. */
export function isOfFamily(found: Found<TConfig>, { app, server = '', configName }: ConfigIdentity): boolean {
  return (
    (found.app ?? app) === app && (found.server ?? server) === server && (found.configName ?? configName) === configName
  )
}
export function isOfGroup(found: Found<TConfig>, config: ConfigIdentity): boolean {
  return isOfFamily(found, config) && (found.podSeq || podSeqOf(config)) === podSeqOf(config)
}

export const ACTIVATED: Words = { [LABELS.activated]: 'true' }
/** Expects objects that were looked up with ACTIVATED, since metadata alone does not hold `activated`. */
export function isInForce(found: Found<TConfig>): boolean {
  return isActive(found) && isLive(found) && !isToBeDeactivated(found)
}

/** Whether the fields themselves put it into the group: what an object lacks does not speak for it. */
export function isMemberOf(found: Found<TConfig>, group: ConfigIdentity): boolean {
  return found.app !== undefined && found.configName !== undefined && isOfGroup(found, group)
}

/**
 * The order in which versions came into force, the latest first: by the time of activation, then of creation. What is no
 * time is the earliest.
 */
export const latestFirst = (one: Found<TConfig>, other: Found<TConfig>) =>
  activationOf(other) - activationOf(one) || newestFirst(one, other)
const activationOf = ({ metadata }: Found<TConfig>) => momentOf(metadata.annotations?.[ANNOTATIONS.activatedAt]) ?? 0

/** The order in which versions were made: by the 14 digits of the version, the time of creation, the name. */
export function newestFirst(one: Found<TConfig>, other: Found<TConfig>): number {
  return (
    compared(stampOf(other), stampOf(one)) ||
    createdAt(other) - createdAt(one) ||
    compared(other.metadata.name, one.metadata.name)
  )
}
const stampOf = ({ version = '' }: Found<TConfig>) => /^\d{14}/.exec(version)?.[0] ?? ''
const createdAt = ({ metadata }: Found<TConfig>) => momentOf(metadata.creationTimestamp) ?? 0
const compared = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** Milliseconds since 1970; undefined for what is no time. */
export function momentOf(text: string | null | undefined): number | undefined {
  const moment = text == null || text.length > LONGEST_TIME ? Number.NaN : Date.parse(text)
  return Number.isNaN(moment) ? undefined : moment
}
const LONGEST_TIME = 64
