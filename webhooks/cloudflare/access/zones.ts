import { type CloudflareCall, guardOf, RecentMap } from '../../kit/cloudflare.ts'
import { type Draft, list, object, type Settings, type Shape, text } from '../../kit/schema.ts'
import type { CloudflareDetails } from '../fields.ts'
import { isInZone, normalName } from '../hostnames.ts'
import { CLOUDFLARE_RESYNC_SECONDS } from '../settings.ts'
import type { Obstacle, RemoteAccount } from './account.ts'
import { SharedList } from './shared-list.ts'

const zone = object({ id: text({ doc: 'Id.' }), name: text({ doc: 'Name.' }) })
export type Zone = Shape<typeof zone>
/** A page of zones has 50 at most. */
const ZONES: CloudflareCall<readonly Zone[]> = {
  method: 'GET',
  path: '/zones',
  perPage: 50,
  is: guardOf(list(zone, { doc: 'Zones.' })),
}

/** What lacks a zone looks once more after this time, since somebody may have added it. */
const FRESH_MS = 30_000

/** Of a zone that is forgotten the next long comment is refused once more. */
const MOST_LIMITS = 1_000

/** The zone of a name, and the name with its zone. */
export interface Zoned {
  readonly zone: Zone
  readonly fqdn: string
}
export type ZoneDetails = Draft<Pick<CloudflareDetails, 'domain' | 'zoneId'>>

/** The zones of each account, listed once for all objects (CF-CRD-08). */
export class Zones {
  readonly #all: SharedList<Zone>
  readonly #commentLimits = new RecentMap<number>(MOST_LIMITS)

  constructor(tick: () => number, settings: Settings) {
    this.#all = new SharedList(ZONES, tick, settings.get(CLOUDFLARE_RESYNC_SECONDS) * 1_000)
  }

  /** What Cloudflare said of the comments of a zone; its plan is not known otherwise. */
  commentLimitOf(zone: string): number | undefined {
    return this.#commentLimits.get(zone)
  }
  learnCommentLimit(zone: string, limit: number): void {
    this.#commentLimits.set(zone, limit)
  }

  async of(name: string, details: ZoneDetails, account: RemoteAccount): Promise<Zoned | Obstacle> {
    const found = zonedIn(await this.#all.of(account), name, details)
    if ('zone' in found || found.reason !== 'DependencyNotReady') return found
    return zonedIn(await this.#all.of(account, FRESH_MS), name, details)
  }
}

function zonedIn(zones: readonly Zone[], written: string, { zoneId, domain }: ZoneDetails): Zoned | Obstacle {
  const name = normalName(written)
  if (!zoneId && !domain) return bySuffix(zones, name)
  const called = zoneId ? `id ${zoneId}` : `name ${normalName(domain ?? '')}`
  const zone = zones.find(({ id, name: own }) => (zoneId ? id === zoneId : own === normalName(domain ?? '')))
  if (zone === undefined) return unknown(`zone with ${called}`)
  if (isInZone(name, zone.name)) return { zone, fqdn: name }
  if (isRelative(name) && !written.trim().endsWith('.')) return { zone, fqdn: `${name}.${zone.name}` }
  return { reason: 'InvalidConfig', message: `${name} is not in zone ${zone.name}; write a name that ends with it` }
}

/** With a dot it is a whole name, unless each label is one like `_sip._tcp`. */
const isRelative = (name: string) => !name.includes('.') || name.split('.').every((label) => /^[_*]/.test(label))

/** The longest zone wins: a part of a zone may be a zone itself. */
function bySuffix(zones: readonly Zone[], name: string): Zoned | Obstacle {
  if (!name.includes('.'))
    return {
      reason: 'InvalidConfig',
      message: `"${name}" has no zone; write it with its zone, or name that in spec.cloudflare.domain`,
    }
  const own = zones.filter((zone) => isInZone(name, zone.name))
  const zone = own.reduce<Zone | undefined>(
    (one, next) => (next.name.length > (one?.name.length ?? 0) ? next : one),
    undefined,
  )
  return zone === undefined ? unknown(`zone of ${name}`) : { zone, fqdn: name }
}

function unknown(what: string): Obstacle {
  const message = `no ${what} is among the zones that the credentials may read; add it, or give the token the right to read it`
  return { reason: 'DependencyNotReady', message }
}
