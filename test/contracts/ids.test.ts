import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isNamed } from '../support/titles.ts'

interface RuleIds {
  /** All rules of the specification that are not for later. */
  readonly ids: readonly string[]
  /** Those that no test shows yet, or only in part, by the part of the family that they belong to. */
  readonly open: Readonly<Record<string, readonly string[]>>
}

/** How many rules each has in all, so that none is lost from its list. */
const SPECIFICATIONS = [
  { of: 'node-label patches', file: 'patch-ids', many: 217 },
  { of: 'Nacos', file: 'nacos-ids', many: 227 },
  { of: 'Cloudflare', file: 'cloudflare-ids', many: 114 },
  { of: 'sync', file: 'sync-ids', many: 144 },
] as const

describe.each(SPECIFICATIONS)('the rules of $of', ({ file, many }) => {
  const { ids, open }: RuleIds = JSON.parse(readFileSync(`test/fixtures/${file}.json`, 'utf8'))
  const left = Object.values(open).flat()

  it('are all of the specification', () => {
    expect(new Set(ids).size).toBe(many)
  })
  it('are each named by the title of a test, or open', () => {
    expect(ids.filter((id) => !left.includes(id) && !isNamed(id))).toEqual([])
  })
  it('that are open are rules, and stand once', () => {
    expect(left.filter((id, at) => !ids.includes(id) || left.indexOf(id) !== at)).toEqual([])
  })
})
