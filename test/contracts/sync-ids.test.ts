import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isNamed } from '../support/titles.ts'

interface SyncIds {
  readonly ids: readonly string[]
  /** The rules that no test shows yet, by the part of sync that they belong to. */
  readonly open: Readonly<Record<string, readonly string[]>>
}
const { ids, open }: SyncIds = JSON.parse(readFileSync('test/fixtures/sync-ids.json', 'utf8'))
const left = Object.values(open).flat()

it('every rule of sync is named by the title of a test, or is open', () => {
  expect(ids.filter((id) => !left.includes(id) && !isNamed(id))).toEqual([])
})

it('what is open is a rule, and stands once', () => {
  expect(left.filter((id, at) => !ids.includes(id) || left.indexOf(id) !== at)).toEqual([])
})

it('the rules of sync are all of the specification that are not for later', () => {
  const counted = Object.groupBy(ids, (id) => id.replace(/\d+$/, ''))
  expect(Object.entries(counted).map(([group, of = []]) => `${group} ${of.length}`)).toEqual([
    'SY-SEED- 12',
    'SY-CLI- 12',
    'SY-EXIT- 10',
    'SY-RES- 11',
    'SY-PIPE- 17',
    'SY-BE- 5',
    'SY-ETCD- 13',
    'SY-REDIS- 9',
    'SY-FILE- 6',
    'SY-ENV- 3',
    'SY-TPL- 14',
    'SY-FMT- 4',
    'SY-FN- 2',
    'SY-ERR- 2',
    'SY-LIM- 1',
    'SY-FAIL- 12',
    'SY-FIT- 5',
    'SY-TEST- 6',
  ])
})
