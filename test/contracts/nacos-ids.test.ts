import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isNamed } from '../support/titles.ts'

interface NacosIds {
  readonly ids: readonly string[]
  /** The rules that no test shows yet, by the part that they belong to. */
  readonly open: Readonly<Record<string, readonly string[]>>
}
const { ids, open }: NacosIds = JSON.parse(readFileSync('test/fixtures/nacos-ids.json', 'utf8'))
const left = Object.values(open).flat()

it('every rule of Nacos is named by the title of a test, or is open', () => {
  expect(ids.filter((id) => !left.includes(id) && !isNamed(id))).toEqual([])
})

it('what is open is a rule, and stands once', () => {
  expect(left.filter((id, at) => !ids.includes(id) || left.indexOf(id) !== at)).toEqual([])
})
