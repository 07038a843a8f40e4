import { type Controller, defineController } from '../../kit/controller.ts'
import type { KubeObject, Settings } from '../../kit/schema.ts'
import { CREDENTIALS_WATCH, credentialReads, type RemoteAccounts } from '../access/accounts.ts'
import type { Networks } from '../access/networks.ts'
import type { Zones } from '../access/zones.ts'
import { CLOUDFLARE_RESYNC_SECONDS } from '../settings.ts'
import { callsOf } from './calls.ts'
import { conclusionOf, planOf, type RemoteFailures } from './conclude.ts'
import { observing } from './observe.ts'
import { Rests, resting } from './rests.ts'
import { Claims, type Contending, claimReferences, contending, rivalWatches } from './rivals.ts'
import type { RemoteSeen } from './seen.ts'
import { SharedLook } from './shared-look.ts'
import { performing, type RemoteStep } from './step.ts'
import type { RemoteTable } from './table.ts'

/** What all controllers of the family share in one process. */
export interface RemoteParts {
  readonly accounts: RemoteAccounts
  readonly zones: Zones
  readonly networks: Networks
  readonly settings: Settings
  readonly tick: () => number
}

/** The controller of a kind: one object of the cluster, one of Cloudflare. `others` may claim the same. */
export function remoteController<T extends KubeObject, A>(
  table: RemoteTable<T, A>,
  parts: RemoteParts,
  others: readonly Contending[] = [],
): Controller {
  const { resource } = table
  const own = contending(table)
  const claims = new Claims(own, others, parts.accounts)
  const rests = new Rests(parts.tick)
  const calls = callsOf(table)
  const listing = table.listing && { ...table.listing, path: table.paths.collection }
  const listed = listing && new SharedLook(listing, calls, parts.tick, keptMsOf(parts.settings))
  const controller = defineController<T, RemoteSeen<T>, RemoteStep, RemoteFailures>({
    name: resource.kind.toLowerCase(),
    of: resource,
    keeps: { byField: [own.index] },
    refersTo: claimReferences(own, resource),
    watches: [...rivalWatches([own, ...others], resource), CREDENTIALS_WATCH, ...(table.watches ?? [])],
    reads: credentialReads(parts.settings),
    writes: [
      { resource, verbs: ['merge', 'own'] },
      { resource, subresource: 'status', verbs: ['merge'] },
    ],
    observe: observing(table, { ...parts, claims, rests, calls, listed }),
    plan: (seen, given) => planOf(seen, table, given),
    perform: performing(listed?.around(calls) ?? calls, parts.accounts, (fault, place) =>
      table.learns?.(fault, place, parts.zones),
    ),
    conclude: (seen, results, given) => conclusionOf(seen, table, results, given),
  })
  return resting(rests, controller)
}

/** Objects come again from 80 to 120 % of the time of a resync; a list serves those that come together. */
const SHARE_OF_RESYNC = 0.2
const keptMsOf = (settings: Settings) => settings.get(CLOUDFLARE_RESYNC_SECONDS) * 1_000 * SHARE_OF_RESYNC
