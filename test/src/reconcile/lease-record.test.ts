import { expect, it } from 'vitest'
import { leaseNameFor, microTime } from '../../../src/reconcile/lease-record.ts'

it.each([
  { name: 'all namespaces', namespaces: [], lease: 'tars-admission-worker' },
  { name: 'one', namespaces: ['a'], lease: 'tars-admission-worker-ca978112' },
  { name: 'two', namespaces: ['a', 'b'], lease: 'tars-admission-worker-1eb7c54d' },
  { name: 'the same two in another order', namespaces: ['b', 'a', 'b'], lease: 'tars-admission-worker-1eb7c54d' },
])('WR-7 workers of $name share a Lease', ({ namespaces, lease }) => {
  expect(leaseNameFor(namespaces)).toBe(lease)
})

it.each([
  [1, '2026-11-19T12:00:05.123001Z'],
  [999, '2026-11-19T12:00:05.123999Z'],
  [1_000, '2026-11-19T12:00:05.123000Z'],
])('WR-2 a time has six decimals, and claim %i shows in it', (count, time) => {
  expect(microTime(new Date('2026-11-19T12:00:05.123Z'), count)).toBe(time)
})
