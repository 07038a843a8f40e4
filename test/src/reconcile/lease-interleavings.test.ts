import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LEASE } from '../../../src/reconcile/lease-record.ts'
import { type Elector, Electors, OURS, type Way } from '../../support/electors.ts'

const way: fc.Arbitrary<Way> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ there: 0, back: 0 }) },
  {
    weight: 3,
    arbitrary: fc.record({ there: fc.integer({ min: 0, max: 9_000 }), back: fc.integer({ min: 0, max: 9_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      there: fc.constant(500),
      back: fc.constant(4_500),
      loses: fc.constantFrom('call', 'answer'),
    }),
  },
)
const event = fc.record({
  afterMs: fc.integer({ min: 1, max: 40 }).map((steps) => steps * 100),
  whom: fc.nat(2),
  what: fc.oneof(
    fc.record({ pause: fc.boolean() }),
    fc.record({ leap: fc.integer({ min: -100_000_000, max: 100_000_000 }) }),
    fc.record({ delete: fc.constant(true) }),
    fc.record({ label: fc.constantFrom('x', 'y', 'z') }),
  ),
})
type Happening = typeof event extends fc.Arbitrary<infer E> ? E : never

/** Only a Lease that all have seen is deleted: a process that finds none at first creates one at once. */
async function happens({ whom, what }: Happening, electors: Electors): Promise<void> {
  const elector = electors.all[whom]
  if ('leap' in what) elector?.machine.leap(what.leap)
  if ('pause' in what) what.pause ? elector?.machine.pause() : elector?.machine.resume()
  const there = await electors.cluster.get(LEASE, OURS)
  if (there === undefined) return
  if ('label' in what) await electors.cluster.merge(LEASE, OURS, { metadata: { labels: { some: what.label } } })
  if ('delete' in what && electors.all.every(hasFound)) await electors.cluster.remove(LEASE, OURS)
}
const hasFound = ({ machine }: Elector) => machine.finds > 0

it('WR-2 RL-7 never may two write at once, whatever clocks, calls and processes do, and one leads in the end', async () => {
  let led = 0
  let changed = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(way, { minLength: 20, maxLength: 40 }),
      fc.array(event, { minLength: 10, maxLength: 40 }),
      async (ways, events) => {
        const electors = new Electors()
        let isCalm = false
        let calls = 0
        const next = () => (isCalm ? undefined : ways[calls++ % ways.length]) ?? { there: 0, back: 0 }
        for (const name of ['a', 'b', 'c']) electors.start(name, next)
        const check = () => {
          const writers = electors.writers()
          expect(writers.length).toBeLessThan(2)
          led += writers.length
        }
        for (const each of events) {
          await electors.pass(each.afterMs, check)
          await happens(each, electors)
          check()
        }
        isCalm = true
        for (const { machine } of electors.all) machine.resume()
        await electors.pass(60_000, check)
        expect(electors.writers()).toHaveLength(1)
        changed += Number((await electors.record()).leaseTransitions)
      },
    ),
    { numRuns: 150 },
  )
  expect([led > 10_000, changed > 20]).toEqual([true, true]) // else nothing was shown
}, 60_000)
