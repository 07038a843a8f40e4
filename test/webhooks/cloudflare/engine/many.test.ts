import { expect, it } from 'vitest'
import { type Clock, systemClock } from '../../../../src/timing/clock.ts'
import { DNS_RECORD } from '../../../../webhooks/cloudflare/dnsrecord/schema.ts'
import { aCloudflare } from '../../../support/builders/cloudflare.ts'
import { cloudflareWorld } from '../../../support/cloudflare-world.ts'

const MANY = 1_000
/** Of the records; the double lists a hundred on one page. */
const PAGES = 10

/** Each look at it is a third of a second later, so that no call waits for the rate limit. */
function ahead(): Clock {
  let now = 0
  return {
    ...systemClock,
    tick() {
      now += 333
      return now
    },
  }
}

it(`CF-API-03 CF-ONE-06 ${MANY} records at once cost at most 2.2 calls each, and a second pass a call for a hundred`, async () => {
  const records = Array.from({ length: MANY }, (_, at) =>
    aCloudflare('DNSRecord', { name: `r${at}.example.com` }, { name: `r${at}` }),
  )
  await using world = await cloudflareWorld(...records)
  world.double.limits.set('first', { limit: 1_000_000 })
  const first = await world.settled({}, 0, { clock: ahead() })
  expect(first.calls).toHaveLength(MANY)
  expect(world.zone.records.size).toBe(MANY)
  expect(world.double.log.length).toBeLessThanOrEqual(2.2 * MANY)
  expect(await world.ready(DNS_RECORD, { namespace: 'demo', name: `r${MANY - 1}` })).toBe('Synced')

  world.double.log.splice(0)
  expect(await world.settled()).toEqual({ writes: [], calls: [], reasons: [] })
  const reads = world.double.log.filter(({ path }) => path.startsWith(world.records))
  expect(reads.length).toBeLessThanOrEqual(PAGES)
}, 240_000)
