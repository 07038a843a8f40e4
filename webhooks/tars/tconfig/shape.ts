import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Draft, Found, Words } from '../../kit/schema.ts'
import { LABELS } from '../names.ts'
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
