import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isNamed } from '../support/titles.ts'

/** Those of the mapping are held by mapping-ids.test.ts. */
const ids: readonly string[] = JSON.parse(readFileSync('test/fixtures/worker-ids.json', 'utf8'))

it('every rule of the worker is named by the title of a test', () => {
  expect(ids.filter((id) => !isNamed(id))).toEqual([])
})

it('the rules of the worker are all of the specification', () => {
  const counted = Object.groupBy(ids, (id) => id.replace(/\d+$/, ''))
  const last = Object.entries(counted).map(([group, of = []]) => `${group} ${of.map((id) => /\d+$/.exec(id)?.[0])}`)
  expect(last).toEqual([
    'TD-R 1,2,3,4,5',
    'TS-R 1,2,3,4,5,6,7,8,9',
    'TC-R 1,2,3,4,5,6',
    'TA-R 1',
    'TI-R 1',
    'TR-R 1',
    'TE-R 1,2,3,4,5',
    'TX-R 1,2,3,4,5,6',
    'TF-R 1,2',
    'ND- 1,2',
    'GW- 2,3',
    'WK- 1,2,3,4,5,6,7,8,9,10,11,12,13,14',
    'WR- 1,2,3,4,5,6,7,8,9,10',
  ])
})
