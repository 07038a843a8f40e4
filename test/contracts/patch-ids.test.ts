import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isNamed } from '../support/titles.ts'

interface PatchIds {
  readonly ids: readonly string[]
  /** The rules that no test shows yet, by the part of the family that they belong to. */
  readonly open: Readonly<Record<string, readonly string[]>>
}
const { ids, open }: PatchIds = JSON.parse(readFileSync('test/fixtures/patch-ids.json', 'utf8'))
const left = Object.values(open).flat()

it('every rule of the node-label patches is named by the title of a test, or is open', () => {
  expect(ids.filter((id) => !left.includes(id) && !isNamed(id))).toEqual([])
})

it('what is open is a rule, and stands once', () => {
  expect(left.filter((id, at) => !ids.includes(id) || left.indexOf(id) !== at)).toEqual([])
})

it('the rules of the node-label patches are all of the specification', () => {
  const counted = Object.groupBy(ids, (id) => id.replace(/\d+[a-z]?$/, ''))
  expect(Object.entries(counted).map(([group, of = []]) => `${group} ${of.length}`)).toEqual([
    'PATCH-API- 11',
    'PATCH-SEL- 3',
    'PATCH-ORD- 3',
    'PATCH-V- 34',
    'PATCH-RAT- 4',
    'SMP-DIR-REPLACE- 5',
    'SMP-DIR-DELETE- 3',
    'SMP-DIR-MERGE- 2',
    'SMP-DIR-ERR- 2',
    'SMP-DIR-RETAIN- 3',
    'SMP-NULL- 3',
    'SMP-TYPE- 1',
    'SMP-MAP- 1',
    'SMP-UNKNOWN- 3',
    'SMP-SCALAR- 1',
    'SMP-DIR-DELPRIM- 6',
    'SMP-LIST-ATOMIC- 1',
    'SMP-LIST-MERGE- 4',
    'SMP-ERR-TYPE- 1',
    'SMP-KEY-EQ- 1',
    'SMP-ERR-KEY- 2',
    'SMP-LIST-SET- 1',
    'SMP-ORD- 4',
    'SMP-DIR-ORDER- 6',
    'SMP-ERR-DOC- 2',
    'SMP-POST- 1',
    'SMP-QUIRK- 4',
    'SMP-TRAP- 3',
    'SMP-SEED- 1',
    'PATCH-POD- 19',
    'PATCH-POD-RB- 6',
    'PATCH-POD-INV- 9',
    'PATCH-HASH- 7',
    'PATCH-ROLL- 17',
    'PATCH-INPLACE- 3',
    'PATCH-CTL- 16',
    'PATCH-GATE- 1',
    'PATCH-DBG- 1',
    'PATCH-REV- 1',
    'PATCH-UP- 1',
    'PATCH-T- 20',
  ])
})
