import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppliedFields } from '../../../../src/cluster/memory/applied-fields.ts'
import { isStored } from '../../../../src/cluster/stored.ts'
import { driftIn } from '../../../../src/kube/drift.ts'
import { isTree } from '../../../../src/schema.ts'
import { goldens, storedIn, wantedIn } from '../../../support/mapped.ts'

const all = goldens.flatMap((golden) => wantedIn(golden).map((wanted, i) => ({ wanted, stored: storedIn(golden)[i] })))
const pairs = all.flatMap(({ wanted, stored }) => (isTree(wanted) && isStored(stored) ? [{ wanted, stored }] : []))
/** Some of its parts are missing, in another order, or twice. */
const disturbed = (value: unknown, at: (length: number) => number): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => disturbed(item, at))
    const first = at(items.length + 1)
    return [...items.slice(first), ...items.slice(0, first + at(2))]
  }
  if (!isTree(value)) return at(8) === 0 ? `${value}x` : value
  const fields = Object.entries(value).filter(([name]) => KEPT.includes(name) || at(8) > 0)
  return Object.fromEntries(fields.map(([name, child]) => [name, KEPT.includes(name) ? child : disturbed(child, at)]))
}
const KEPT = ['metadata', 'apiVersion', 'kind', 'name', 'mountPath', 'containerPort', 'protocol', 'port']

it('WK-4 what an apply makes of any stored object has no drift', () => {
  expect(pairs.length).toBeGreaterThan(20)
  fc.assert(
    fc.property(fc.constantFrom(...pairs), fc.infiniteStream(fc.nat()), ({ wanted, stored }, numbers) => {
      const at = (length: number) => (numbers.next().value ?? 0) % Math.max(length, 1)
      const live = disturbed(stored, at)
      if (isStored(live)) expect(driftIn(wanted, new AppliedFields().merged(live, wanted, 'm'))).toBeUndefined()
    }),
  )
})
