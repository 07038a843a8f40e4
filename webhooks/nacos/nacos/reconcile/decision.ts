import type { Given } from '../../../kit/controller.ts'
import type { Found, Settings } from '../../../kit/schema.ts'
import { configDigest } from '../../config/digest.ts'
import type { ConfigMap } from '../../kubernetes.ts'
import { ANNOTATIONS, KEYS } from '../../names.ts'
import type { WantedConfig } from '../objects/final.ts'
import { holdOn } from '../objects/metadata.ts'
import type { MountedConfig } from '../objects/subject.ts'
import { finalNameOf, isMerging, isOldWay } from '../shape.ts'
import { isPaused, isWithheld } from './first-contact.ts'
import { type HeldConfig, heldAs } from './held.ts'
import type { NacosMemory, SettleMemory } from './memory.ts'
import { merged } from './merged.ts'
import { mountedIn, placeOf } from './mounted.ts'
import type { NacosSeen } from './seen.ts'
import { settling } from './settling.ts'

/** What becomes of the configuration in this turn. */
export interface ConfigDecision {
  readonly state: 'Merged' | 'Legacy' | 'NotConfigured' | HeldConfig
  /** What the pods mount after this turn: the newest, or the last good one. */
  readonly mounted?: MountedConfig | undefined
  /** The text that is mounted, where it is known. */
  readonly text?: string | undefined
  /** Written before the pods change (NC-DIG-30). */
  readonly writes?: WantedConfig
  /** What the pods do not have yet, and what it waits for. */
  readonly waits?: ConfigWait
  readonly settle?: SettleMemory
}
export interface ConfigWait {
  readonly until: 'Settling' | 'Paused' | 'SpecInvalid'
  readonly digest: string
  readonly forMs?: number
}

type AskedDecision = Pick<Given<NacosMemory>, 'at' | 'settings' | 'remembered'>

export function decisionFor(seen: NacosSeen, given: AskedDecision): ConfigDecision {
  const wanted = wantedConfig(seen, given.settings)
  if (wanted === undefined) return { state: 'NotConfigured' }
  const held = 'reason' in wanted ? wanted : obstacleTo(wanted, seen)
  if (held !== undefined) return { state: held, ...lastGood(seen) }
  if ('reason' in wanted) return { state: wanted }
  const state = isMerging(seen.nacos) ? 'Merged' : 'Legacy'
  return { state, ...rolledOut(wanted, seen, given) }
}

/** At once, or later: what the pods have stays until then. */
function rolledOut(wanted: WantedConfig, seen: NacosSeen, given: AskedDecision): Omit<ConfigDecision, 'state'> {
  const { digest } = wanted
  const mounted = mountedIn(seen.statefulSet)
  if (isWithheld(seen))
    return { mounted, ...(!isMounted(wanted, mounted) && { waits: { until: whyWithheld(seen), digest } }) }
  if (mounted === undefined || isThere(wanted, mounted, seen)) return newest(wanted)
  const standing = { mounted, text: mountedText(mounted, seen) }
  if (seen.nacos.metadata.annotations?.[ANNOTATIONS.configRollout] === 'paused')
    return { ...standing, waits: { until: 'Paused', digest } }
  const settle = settling(seen, given)
  if (settle === undefined) return newest(wanted)
  const { forMs, ...memory } = settle
  return { ...standing, waits: { until: 'Settling', digest, forMs }, settle: memory }
}
const whyWithheld = (seen: NacosSeen) => (isPaused(seen) ? 'Paused' : 'SpecInvalid')

function newest(wanted: WantedConfig) {
  const { configMap, key, digest, text } = wanted
  return { mounted: { configMap, ...placeOf(key), digest }, text, writes: wanted }
}

/** The pods have it, or their ConfigMap does: then a turn was broken off between the two (NC-DIG-31). */
function isThere(wanted: WantedConfig, mounted: MountedConfig, { final }: NacosSeen): boolean {
  return isMounted(wanted, mounted) || intactDigest(final) === wanted.digest
}
const isMounted = (wanted: WantedConfig, mounted: MountedConfig | undefined) =>
  mounted?.configMap === wanted.configMap && mounted.digest === wanted.digest

/** What the pods have goes on to say where they answer (NC-STS-30). */
function mountedText({ configMap, digest, key }: MountedConfig, { final }: NacosSeen): string | undefined {
  const isOfPods = final?.metadata.name === configMap && intactDigest(final) === digest
  return isOfPods ? final.data?.[key] : undefined
}

function wantedConfig(seen: NacosSeen, settings: Settings): WantedConfig | HeldConfig | undefined {
  const { nacos } = seen
  const { name } = nacos.metadata
  if (isMerging(nacos)) return merged(seen, finalNameOf(nacos, name), settings)
  if (!isOldWay(nacos)) return undefined
  const text = nacos.spec?.config ?? ''
  return { configMap: name, key: KEYS.old, text, digest: configDigest(text) }
}

/** NC-DIG-36, NC-DIG-40, NC-DIG-41 */
function obstacleTo(
  { configMap, key, text }: WantedConfig,
  { nacos, sources, final }: NacosSeen,
): HeldConfig | undefined {
  if (sources.some(({ ref }) => ref.name === configMap))
    return heldAs('FinalConfigIsSource', `ConfigMap "${configMap}" is a source: set another finalConfigName`)
  if (final === undefined) return undefined
  const hold = holdOn(final, nacos)
  const mayAdopt = hold === 'unowned' && nacos.metadata.annotations?.[ANNOTATIONS.adoptFinalConfig] === 'true'
  if (hold !== 'ours' && !mayAdopt) return heldAs('FinalConfigConflict', conflictIn(configMap, hold))
  if (final.immutable === true && final.data?.[key] !== text)
    return heldAs('FinalConfigImmutable', `ConfigMap "${configMap}" is immutable: set another finalConfigName`)
  return undefined
}

function conflictIn(configMap: string, hold: ReturnType<typeof holdOn>): string {
  const left = `ConfigMap "${configMap}"`
  if (hold === 'predecessor') return `${left} belongs to an earlier Nacos of this name and is removed with it`
  if (hold === 'foreign') return `${left} belongs to another object: set another finalConfigName`
  return `${left} was not made for this Nacos: set another finalConfigName, or the annotation ${ANNOTATIONS.adoptFinalConfig}: "true"`
}

/** What the pods keep while a configuration is held (NC-REC-32): never what somebody edited by hand. */
function lastGood({ nacos, final, statefulSet }: NacosSeen): Pick<ConfigDecision, 'mounted' | 'text'> {
  const live = mountedIn(statefulSet)
  const digest = final !== undefined && holdOn(final, nacos) === 'ours' ? intactDigest(final) : undefined
  if (final === undefined || digest === undefined) return { mounted: live }
  if (live !== undefined && live.configMap !== final.metadata.name) return { mounted: live }
  const key = keyIn(final)
  return { mounted: { configMap: final.metadata.name, ...placeOf(key), digest }, text: final.data?.[key] }
}

/** The digest of a generated ConfigMap, if its content is what it says. */
export function intactDigest(final: Found<ConfigMap> | undefined): string | undefined {
  if (final === undefined) return undefined
  const said = final.metadata.annotations?.[ANNOTATIONS.configDigest]
  const text = final.data?.[keyIn(final)]
  return typeof text === 'string' && configDigest(text) === said ? said : undefined
}
const keyIn = ({ data }: Found<ConfigMap>) => (typeof data?.[KEYS.old] === 'string' ? KEYS.old : KEYS.final)
