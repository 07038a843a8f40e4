import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Action, Given, Plan } from '../../kit/controller.ts'
import type { Settings } from '../../kit/schema.ts'
import { isObstacle } from '../access/account.ts'
import { withSource } from '../aggregation/document.ts'
import { SHARED_CONFIG_MAP } from '../aggregation/shared-config-map.ts'
import { configMapName, PriorityTunnelSettings, sourceKey } from '../aggregation/sources.ts'
import type { HeldRemoval } from '../aggregation/sync-decision.ts'
import { asserted, type DroppedOwner, type TunnelAssertion, withoutOwner } from '../aggregation/tunnel-configs.ts'
import { builtSource } from '../conversions/converted.ts'
import { settingsOfTunnel } from '../conversions/tunnel.ts'
import { ANNOTATIONS } from '../names.ts'
import { CLOUDFLARE_NAMESPACE } from '../settings.ts'
import type { SourceMember } from './members.ts'
import type { TunnelSeen } from './seen.ts'
import type { SeenTunnel } from './seen-cluster.ts'
import type { TunnelStep } from './step.ts'

/** Keeps a tunnel until the ConfigMap does not go with it any more (CF-AGG-05). */
export const CONFIG_FINALIZER = 'cloudflare-operator.io/tunnel-config'
const RESET = 'cloudflare-operator.io/reset'

/** What the last turn of a tunnel leaves to the next one. */
export interface TunnelMemory {
  readonly held?: HeldRemoval | undefined
  readonly refused: readonly string[]
  readonly failures: number
  readonly notBefore?: Date | undefined
  /** The events that hold, so that each is told once. */
  readonly told: readonly string[]
}
export const NOTHING_REMEMBERED: TunnelMemory = { refused: [], failures: 0, told: [] }

export function planOf(
  seen: TunnelSeen,
  given: Pick<Given<TunnelMemory>, 'at' | 'settings' | 'remembered'>,
): Plan<TunnelStep, TunnelMemory> {
  const { remembered = NOTHING_REMEMBERED } = given
  const { stored, tunnelId } = seen
  const namespace = given.settings.get(CLOUDFLARE_NAMESPACE)
  if (stored?.problem?.reason === 'ParseError' && stored.annotations[RESET] === 'true') {
    const ref = { namespace, name: configMapName(tunnelId) }
    const { uid, resourceVersion } = stored
    return {
      actions: [{ do: 'remove', of: SHARED_CONFIG_MAP, ref, expects: { uid, resourceVersion }, because: 'CF-AGG-03' }],
    }
  }
  if (stored?.problem?.reason === 'ForeignConfigMap') return { actions: released(seen, []), remember: remembered }
  const step = stepOf(seen, given, remembered)
  return { actions: [...seen.tunnels.filter(isToKeep).map(kept), step], remember: remembered }
}

function stepOf(
  seen: TunnelSeen,
  { at, settings }: Pick<Given, 'at' | 'settings'>,
  remembered: TunnelMemory,
): TunnelStep {
  const { tunnelId, state, tunnels, contributed, stale, unclear, account } = seen
  const living = tunnels.filter(({ object }) => !isTerminating(object))
  const assertions = living.map((tunnel) => assertionOf(tunnel, seen, settings))
  const writes = contributed.map(({ member: { key }, source }) => ({ key, source }))
  const drops = tunnels.filter(({ object }) => isTerminating(object)).map(dropOf)
  const isReadable = seen.stored?.problem === undefined
  return {
    do: 'sync tunnel',
    because: 'CF-AGG-15',
    tunnelId,
    assertions: isReadable ? assertions.filter((each) => asserted(state, tunnelId, each, at) !== state) : [],
    writes: isReadable
      ? writes.filter(({ key, source }) => withSource(state.content, key, source, at) !== state.content)
      : [],
    drops: isReadable ? drops.filter((each) => withoutOwner(state, each) !== state) : [],
    removals: stale.gone,
    needs: [...assertions, ...writes].map(({ key }) => key),
    hasUnclear: unclear.length > 0,
    account,
    isRecorded: tunnels.length > 0,
    isTakenOver: !living.some(({ object }) => object.metadata.annotations?.[ANNOTATIONS.remoteOrigin] === 'created'),
    overwritesForeign: living.some(
      ({ object }) => object.metadata.annotations?.[ANNOTATIONS.foreignRules] === 'overwrite',
    ),
    ignoresDrift: seen.stored?.annotations[ANNOTATIONS.drift] === 'ignore',
    held: remembered.held,
    refused: remembered.refused,
    failures: remembered.failures,
    notBefore: remembered.notBefore,
  }
}

const keyOfTunnel = ({ of, object: { metadata } }: SeenTunnel) =>
  sourceKey(of.kind, metadata.namespace ?? '', metadata.name)
const dropOf = (tunnel: SeenTunnel): DroppedOwner => ({
  key: keyOfTunnel(tunnel),
  uid: tunnel.object.metadata.uid ?? '',
})

function assertionOf(tunnel: SeenTunnel, seen: TunnelSeen, settings: Settings): TunnelAssertion {
  const { of, object } = tunnel
  const { account, state } = seen
  const known = typeof state.content.accountId === 'string' ? state.content.accountId : ''
  const name = object.spec?.cloudflare?.credentialsRef?.name
  const { tunnelName } = object.status ?? {}
  return {
    ...builtSource(of.kind, object, PriorityTunnelSettings, { settings: settingsOfTunnel(object) }),
    identity: {
      accountId: isObstacle(account) ? known : account.id,
      ...(tunnelName && { tunnelName }),
      ...(name && { credentialsRef: { name } }),
    },
    ...(tunnel === ownerAmong(seen, settings) && { owner: ownerOf(tunnel) }),
  }
}

/**
 * One alone, since an object has one controller. Of a tunnel of another namespace the garbage collector would take the
 * ConfigMap (CF-AGG-05).
 */
function ownerAmong({ tunnels, state }: TunnelSeen, settings: Settings): SeenTunnel | undefined {
  const operatorNamespace = settings.get(CLOUDFLARE_NAMESPACE)
  const controller = state.owners.find((owner) => owner.controller === true)?.uid
  return tunnels.find((tunnel) => {
    const { namespace = operatorNamespace, uid = '' } = tunnel.object.metadata
    const isFree = uid !== '' && (controller === undefined || controller === uid)
    return isFree && namespace === operatorNamespace && hasFinalizer(tunnel) && !isTerminating(tunnel.object)
  })
}
function ownerOf({ of, object: { metadata } }: SeenTunnel) {
  const { name, uid = '' } = metadata
  const apiVersion = `${of.group}/${of.version}`
  return { ...{ apiVersion, kind: of.kind, name, uid, controller: true }, ...{ blockOwnerDeletion: true } }
}

export function onto({ of, object: { metadata } }: Pick<SourceMember, 'of' | 'object'>, because: string) {
  const { namespace = '', name, uid = '', resourceVersion = '' } = metadata
  return { of, ref: { namespace, name }, expects: { uid, resourceVersion }, because }
}
const hasFinalizer = ({ object: { metadata } }: SeenTunnel) => metadata.finalizers?.includes(CONFIG_FINALIZER) === true
const isToKeep = (tunnel: SeenTunnel) => !isTerminating(tunnel.object) && !hasFinalizer(tunnel)
function kept(tunnel: SeenTunnel): Action {
  const finalizers = [...(tunnel.object.metadata.finalizers ?? []), CONFIG_FINALIZER]
  return { do: 'merge', ...onto(tunnel, 'CF-AGG-05'), patch: { metadata: { finalizers } } }
}

/** Terminating tunnels that the ConfigMap does not rest on any more. */
export function released({ tunnels }: TunnelSeen, keysLeft: readonly string[]): readonly Action[] {
  const free = tunnels.filter(
    (tunnel) => isTerminating(tunnel.object) && hasFinalizer(tunnel) && !keysLeft.includes(keyOfTunnel(tunnel)),
  )
  return free.map((tunnel) => {
    const finalizers = (tunnel.object.metadata.finalizers ?? []).filter((each) => each !== CONFIG_FINALIZER)
    return { do: 'merge', ...onto(tunnel, 'CF-AGG-05'), patch: { metadata: { finalizers } } }
  })
}
