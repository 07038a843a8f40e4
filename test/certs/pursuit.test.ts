import { describe, expect, it } from 'vitest'
import { Pursuit } from '../../certs/pursuit.ts'
import { Refused } from '../../src/cluster/port.ts'
import { Fault } from '../../src/faults.ts'
import { ManualClock } from '../support/fakes/clock.ts'

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
const cause = { reason: 'FieldValueInvalid', message: 'must not', field: 'webhooks' }
const invalid = { code: 422, reason: 'Invalid', message: 'the server rejected our request' }

function pursuitOf(act: (seen: string) => Promise<void>) {
  const clock = new ManualClock(new Date(0))
  const failures: unknown[] = []
  return { clock, failures, pursuit: new Pursuit({ act, failed: (error) => failures.push(error), clock }) }
}

describe('a pursuit', () => {
  it('never acts twice at a time, and skips what is old by then', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const seen: string[] = []
    const { pursuit } = pursuitOf((version) => {
      seen.push(version)
      return gate
    })
    for (const version of ['one', 'two', 'three']) pursuit.tell(version)
    await settled()
    expect(seen).toEqual(['one'])
    open()
    await settled()
    expect(seen).toEqual(['one', 'three'])
  })

  it.each([
    { name: 'a conflict', error: new Fault('CONFLICT', 'modified meanwhile') },
    { name: 'an object that is gone', error: new Fault('GONE', 'no such object') },
    { name: 'a failed test of a patch', error: new Refused({ ...invalid, details: {} }) },
    { name: 'the same, with an empty list of causes', error: new Refused({ ...invalid, details: { causes: [] } }) },
  ])('waits quietly for the next version after $name', async ({ error }) => {
    const { pursuit, failures, clock } = pursuitOf(() => Promise.reject(error))
    pursuit.tell('one')
    await settled()
    expect({ failures, timers: clock.waiting }).toEqual({ failures: [], timers: 0 })
  })

  it.each([
    { name: 'a refusal for cause', error: new Refused({ ...invalid, details: { causes: [cause] } }) },
    { name: 'a right that is missing', error: new Refused({ ...invalid, code: 403, reason: 'Forbidden' }) },
    { name: 'silence', error: new Fault('CLUSTER_UNREACHABLE', 'cannot reach the API server') },
    { name: 'anything else', error: new TypeError('not a function') },
  ])('tells of $name and tries again', async ({ error }) => {
    const { pursuit, failures, clock } = pursuitOf(() => Promise.reject(error))
    pursuit.tell('one')
    await settled()
    clock.advance(1_000)
    await settled()
    expect(failures).toEqual([error, error])
  })

  it('tells of what is wrong with the object itself, and waits for another version', async () => {
    const error = new Fault('CERTIFICATE', 'not a certificate')
    const { pursuit, failures, clock } = pursuitOf(() => Promise.reject(error))
    pursuit.tell('one')
    await settled()
    expect({ failures, timers: clock.waiting }).toEqual({ failures: [error], timers: 0 })
  })

  it('that was stopped leaves nothing that would wake it', async () => {
    const { pursuit, clock } = pursuitOf(() => Promise.reject(new Error('no')))
    pursuit.tell('one')
    await settled()
    expect(clock.waiting).toBe(1)
    pursuit.stop()
    expect(clock.waiting).toBe(0)
  })

  it('never waits for more than a minute', async () => {
    const { pursuit, failures, clock } = pursuitOf(() => Promise.reject(new Error('no')))
    pursuit.tell('one')
    for (let i = 0; i < 20; i += 1) {
      await settled()
      clock.advance(60_000)
    }
    expect(failures).toHaveLength(20)
  })
})
