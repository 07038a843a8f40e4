import type { Reference, Watch } from '../../kit/controller.ts'
import type { ClusterReader, Draft, KubeObject, Resource } from '../../kit/schema.ts'
import { isObstacle } from '../access/account.ts'
import type { AccountDetails, RemoteAccounts } from '../access/accounts.ts'
import { type Claiming, meetsScope, type RemoteClaim } from '../claims.ts'
import { ANNOTATIONS } from '../names.ts'
import { type ManagementInfo, ownerName } from '../ownership.ts'
import { type Holder, holderOf, isHandedOver } from '../unique.ts'
import { knownOf, type RemoteHeld } from './seen.ts'

/** A kind whose objects claim what others of it, or of a kind beside it, may claim too. */
export interface ContendingKind<T extends KubeObject> {
  readonly resource: Resource<T>
  readonly claim: Claiming<T>
  readonly details: (object: Draft<T>) => AccountDetails
  readonly status: { readonly id: string }
}
/** The same without its type. */
export interface Contending {
  readonly kind: string
  readonly watch: (wakes: Watch['wakes']) => Watch
  readonly index: { readonly valuesOf: Contending['keysOf'] }
  readonly keysOf: (object: KubeObject) => readonly string[]
  contenders(key: string, cached: ClusterReader, accounts: RemoteAccounts): Promise<readonly Contender[]>
  contenderOf(object: KubeObject, cached: ClusterReader, accounts: RemoteAccounts): Promise<Contender | undefined>
  named(info: ManagementInfo, cached: ClusterReader): Promise<Holder | undefined>
}
export interface Contender extends Holder {
  readonly object: KubeObject
  readonly claim: RemoteClaim
  /** Where it can be told (CF-ONE-01). */
  readonly account: string | undefined
}

export function contending<T extends KubeObject>({ resource, claim, details, status }: ContendingKind<T>): Contending {
  /** By what it claims, and by the id that it records. */
  function keysOf(object: KubeObject): readonly string[] {
    const { id } = knownOf(object, status.id)
    const claimed = resource.isDraft(object) ? (claim(object)?.keys ?? []) : []
    return [...claimed, ...(id === '' ? [] : [`id/${id}`])]
  }
  const index = { valuesOf: keysOf }
  const self: Contending = {
    kind: resource.kind,
    watch: (wakes) => ({ resource, keeps: { byField: [index] }, wakes }),
    index,
    keysOf,
    async contenders(value, cached, accounts) {
      const found = await cached.list(resource, { namespace: '', by: { index, value } })
      const all = await Promise.all(found.map((each) => self.contenderOf(each, cached, accounts)))
      return all.filter((each) => each !== undefined)
    },
    async contenderOf(object, cached, accounts) {
      const its = resource.isDraft(object) ? claim(object) : undefined
      if (its === undefined || !resource.isDraft(object)) return undefined
      const ref = await accounts.refOf(details(object), cached)
      return { ...holderOf(object, resource.kind), object, claim: its, account: isObstacle(ref) ? undefined : ref.id }
    },
    async named({ namespace, name }, cached) {
      const found = await cached.get(resource, { namespace, name })
      return found && holderOf(found, resource.kind)
    },
  }
  return self
}

/** Who holds what an object claims. The worker is the authority, since two creations that cross pass admission. */
export class Claims {
  readonly #own: Contending
  readonly #all: readonly Contending[]
  readonly #accounts: RemoteAccounts

  constructor(own: Contending, others: readonly Contending[], accounts: RemoteAccounts) {
    this.#own = own
    this.#all = [own, ...others]
    this.#accounts = accounts
  }

  /** The oldest wins, and the lowest name of equals; unless one hands over to the other (CF-OWN-11). */
  async lostBy(object: KubeObject, info: ManagementInfo, cached: ClusterReader): Promise<RemoteHeld | undefined> {
    const own = await this.#own.contenderOf(object, cached, this.#accounts)
    if (own === undefined) return undefined
    const asked = this.#own
      .keysOf(object)
      .flatMap((key) => this.#all.map((kind) => kind.contenders(key, cached, this.#accounts)))
    const others = (await Promise.all(asked)).flat().filter((other) => ownerName(other.info) !== ownerName(info))
    const holder = others.filter((other) => isRival(own, other)).find((other) => beats(other, own))
    if (holder === undefined) return undefined
    return { reason: 'DuplicateClaim', message: `${own.claim.words} is already claimed by ${ownerName(holder.info)}` }
  }

  /** The owner that an object may take over from: one that is not here, or that agrees. */
  async handingOver(object: KubeObject, info: ManagementInfo, cached: ClusterReader) {
    const from = ownerIn(object.metadata.annotations?.[ANNOTATIONS.adoptFrom] ?? '')
    const kind = this.#all.find((each) => each.kind === from?.kind)
    const holder = from && (await kind?.named(from, cached))
    return holder === undefined || isHandedOver(object, info, holder) ? from : undefined
  }
}

/** RemoteAccounts tell two objects apart, and where one is not known their own words. */
function isRival(one: Contender, other: Contender): boolean {
  if (one.account !== undefined && other.account !== undefined) return one.account === other.account
  return meetsScope(one.claim, other.claim)
}

function beats(one: Contender, other: Contender): boolean {
  if (isHandedOver(one.object, one.info, other)) return true
  if (isHandedOver(other.object, other.info, one)) return false
  const [age, otherAge] = [one, other].map(({ object }) => object.metadata.creationTimestamp ?? '')
  return age === otherAge ? ownerName(one.info) < ownerName(other.info) : String(age) < String(otherAge)
}

function ownerIn(text: string): ManagementInfo | undefined {
  const [kind = '', ...rest] = text.split('/')
  const [name = '', namespace = ''] = rest.toReversed()
  return kind === '' || name === '' ? undefined : { kind, namespace, name }
}

/** Objects that claim the same wake each other: the release of one is the chance of the next. */
export function claimReferences(of: Contending, resource: Reference['of']) {
  return (object: KubeObject): readonly Reference[] =>
    of.keysOf(object).map((name) => ({ of: resource, key: { namespace: '', name } }))
}
export function rivalWatches(all: readonly Contending[], resource: Reference['of']): readonly Watch[] {
  return all.map((each) =>
    each.watch((object, among) =>
      each.keysOf(object).flatMap((name) => among.referring({ of: resource, key: { namespace: '', name } })),
    ),
  )
}
