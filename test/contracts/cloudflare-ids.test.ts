import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isNamed } from '../support/titles.ts'

interface CloudflareIds {
  readonly ids: readonly string[]
  /** By the part of the family that they belong to; some of these have tests of a part of them already. */
  readonly open: Readonly<Record<string, readonly string[]>>
}
const { ids, open }: CloudflareIds = JSON.parse(readFileSync('test/fixtures/cloudflare-ids.json', 'utf8'))
const left = Object.values(open).flat()

it('every rule of Cloudflare is named by the title of a test, or is open', () => {
  expect(ids.filter((id) => !left.includes(id) && !isNamed(id))).toEqual([])
})

it('what is open of Cloudflare is a rule, and stands once', () => {
  expect(left.filter((id, at) => !ids.includes(id) || left.indexOf(id) !== at)).toEqual([])
})

it('the rules of Cloudflare are all of the specification, but for what is later', () => {
  const counted = Object.groupBy(ids, (id) => id.replace(/\d+$/, ''))
  expect(Object.entries(counted).map(([group, of = []]) => `${group} ${of.length}`)).toEqual([
    ...['CF-CRD- 10', 'CF-OWN- 16', 'CF-ONE- 6', 'CF-M- 2', 'CF-V- 15', 'CF-AGG- 22', 'CF-CNV- 10', 'CF-API- 3'],
    ...['CF-TST- 19', 'CF-DBL- 10'],
  ])
})
