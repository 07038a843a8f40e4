import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isNamed } from '../support/titles.ts'

const { mapping }: Readonly<Record<'mapping', readonly string[]>> = JSON.parse(
  readFileSync('test/fixtures/mapping-ids.json', 'utf8'),
)

it('every rule of the mapping of a TServer is named by the title of a test', () => {
  expect(mapping.filter((id) => !isNamed(id))).toEqual([])
})

it('the rules are all but MP-24 and MP-25', () => {
  const all = mapping.map((id) => Number(/\d+/.exec(id)?.[0]))
  const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)
  expect([...new Set(all)].sort((a, b) => a - b)).toEqual([...upTo(1, 23), ...upTo(30, 37), ...upTo(40, 43)])
})
