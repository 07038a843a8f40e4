import { isTerminating } from '../../../src/kube/metadata.ts'
import { CloudflareFault } from '../../kit/cloudflare.ts'
import type { Key, Sight } from '../../kit/controller.ts'
import type { KubeObject, Settings } from '../../kit/schema.ts'
import { isObstacle, type Obstacle, type RemoteAccount } from '../access/account.ts'
import type { RemoteAccounts } from '../access/accounts.ts'
import type { Networks } from '../access/networks.ts'
import type { Zones } from '../access/zones.ts'
import { newManagementInfo } from '../ownership.ts'
import { isRefusal, reasonOf } from '../retries.ts'
import type { RemoteCalls } from './calls.ts'
import { decisionOf } from './decide.ts'
import { problemIn } from './problems.ts'
import type { Rests } from './rests.ts'
import type { Claims } from './rivals.ts'
import { knownOf, type LookedAt, type RemoteHeld, type RemoteSeen } from './seen.ts'
import type { SharedLook } from './shared-look.ts'
import type { Placement, RemoteFound, RemoteTable } from './table.ts'

export interface Observing {
  readonly accounts: RemoteAccounts
  readonly zones: Zones
  readonly networks: Networks
  readonly claims: Claims
  readonly settings: Settings
  readonly rests: Rests
  readonly calls: RemoteCalls
  readonly listed: SharedLook | undefined
}

/** Reads the cluster, then Cloudflare: all that a plan needs, in one value. */
export function observing<T extends KubeObject, A>(table: RemoteTable<T, A>, parts: Observing) {
  const observer = new RemoteObserver(table, parts)
  return (key: Key, sight: Sight) => observer.observe(key, sight)
}

class RemoteObserver<T extends KubeObject, A> {
  readonly #table: RemoteTable<T, A>
  readonly #parts: Observing

  constructor(table: RemoteTable<T, A>, parts: Observing) {
    this.#table = table
    this.#parts = parts
  }

  async observe(key: Key, sight: Sight): Promise<RemoteSeen<T> | undefined> {
    const { resource, status, finalizer, claim } = this.#table
    const object = await sight.cached.get(resource, key)
    if (object === undefined) return undefined
    const seen = {
      object,
      owner: newManagementInfo(object, resource.kind),
      words: claim(object)?.words ?? object.metadata.name,
      isTerminating: isTerminating(object),
      hasFinalizer: object.metadata.finalizers?.includes(finalizer) === true,
      known: knownOf(object, status.id),
      dependents: [],
    }
    if (seen.isTerminating && !seen.hasFinalizer) return undefined
    try {
      return { ...seen, ...(await this.#looked(seen, key, sight)) }
    } catch (cause) {
      if (cause instanceof CloudflareFault) return { ...seen, held: heldBy(cause) }
      throw cause
    }
  }

  async #looked(seen: RemoteSeen<T>, key: Key, { cached, live }: Sight): Promise<Partial<RemoteSeen<T>>> {
    const { object } = seen
    const { resource, dependents, details } = this.#table
    if (!resource.isOutline(object))
      return { held: invalid(`${resource.misfitIn(object)} is missing or of another type`) }
    if (seen.isTerminating) {
      const first = (await dependents?.(object, cached)) ?? []
      if (first.length > 0) return { dependents: first }
    } else {
      const held = (await this.#problem(object, live)) ?? (await this.#parts.claims.lostBy(object, seen.owner, cached))
      if (held !== undefined) return { held }
    }
    const account = await this.#parts.accounts.of(details(object), { cached, live })
    if (isObstacle(account)) return { held: account }
    const place = await this.#placeOf(object, seen.isTerminating, account, cached)
    if (isObstacle(place)) return { held: place }
    const from = await this.#parts.claims.handingOver(object, seen.owner, cached)
    const restMs = this.#parts.rests.leftMs(key, object, { account, place, from })
    if (restMs !== undefined) return { restMs }
    const looked = await this.#remote(seen, object, { account, place })
    return { looked: { ...looked, from } }
  }

  async #problem(object: T, live: Sight['live']): Promise<RemoteHeld | undefined> {
    const message = await problemIn(object, this.#table, { live, settings: this.#parts.settings })
    return message === undefined ? undefined : invalid(message)
  }

  async #placeOf(
    object: T,
    isGoing: boolean,
    account: RemoteAccount,
    cached: Sight['cached'],
  ): Promise<Placement | Obstacle> {
    const { zones, networks } = this.#parts
    const place = await this.#table.place?.(object, { account, cached, zones, networks, isTerminating: isGoing })
    if (place !== undefined && isObstacle(place)) return place
    return { params: { ...place?.params }, known: { ...place?.known, account: account.id } }
  }

  /** From the list of all, where it shows that there is nothing to do; what is written is always read before (CF-ONE-04). */
  async #remote(seen: RemoteSeen<T>, object: T, { account, place }: Whereabouts): Promise<LookedAt> {
    const { settings, listed } = this.#parts
    const { id } = seen.known
    const found = seen.isTerminating || id === '' ? undefined : await listed?.find(account, place, id)
    if (found !== undefined) {
      const looked = this.#lookedAt(object, { account, place }, [found])
      if (decisionOf({ ...seen, looked }, this.#table, settings).do === 'keep') return looked
    }
    return this.#read(seen, object, { account, place })
  }

  /** By the recorded id; or else as the kind finds it. */
  async #read(seen: RemoteSeen<T>, object: T, { account, place }: Whereabouts): Promise<LookedAt> {
    const { find, fixedId, isMeant } = this.#table
    const { calls } = this.#parts
    const id = fixedId?.(object) || seen.known.id
    const byId = id === '' ? undefined : await calls.get(account, place, id)
    const meant = byId !== undefined && isMeant?.(object, byId) !== false ? byId : undefined
    const candidates = meant === undefined ? await calls.find(account, place, find(object, place)) : [meant]
    const isMissing = id !== '' && id === seen.known.id && byId === undefined
    return { ...this.#lookedAt(object, { account, place }, candidates), isMissing }
  }

  #lookedAt(object: T, { account, place }: Whereabouts, candidates: readonly RemoteFound[]): LookedAt {
    const { wanted, created, mark } = this.#table
    const fields = wanted(object, place)
    return {
      account: { id: account.id, credentials: account.credentials },
      place,
      candidates,
      isMissing: false,
      wanted: fields,
      created: created?.(object) ?? fields,
      comment: mark?.comment(object) ?? '',
    }
  }
}

interface Whereabouts {
  readonly account: RemoteAccount
  readonly place: Placement
}
const invalid = (message: string): RemoteHeld => ({ reason: 'InvalidConfig', message })

export function heldBy(fault: CloudflareFault): RemoteHeld {
  const { message, retryAfterMs: afterMs } = fault
  return { reason: reasonOf(fault), message, isRefused: isRefusal(fault), afterMs }
}
