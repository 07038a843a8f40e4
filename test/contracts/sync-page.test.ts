import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { realFiles } from '../../src/sync/host/real-files.ts'
import { OPTIONS } from '../../src/sync/options/options.ts'
import { settled } from '../../src/sync/options/settled.ts'
import { confDir } from '../../src/sync/resources/folder.ts'
import { isBroken } from '../../src/sync/resources/resource.ts'
import { DAEMONS, DIFFERS } from '../sync/beside-differing.ts'
import { ALIKE } from './sync-alike.ts'
import { metricRows, optionRows } from './sync-page.ts'

const PAGE = readFileSync('docs/sync.md', 'utf8')
const tableUnder = (head: string) => {
  const lines = PAGE.slice(PAGE.indexOf(head)).split('\n').slice(2)
  return lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  )
}

/** Ids of rules, and words of flags, keys and functions. */
const NAMES = /SY-[A-Z]+-\d+|(?<=[` -])[\w-]+(?=[` ])/g
/** Those in the first cell of a row of the specification. */
function namesOf(row: string): readonly string[] {
  const [, cell = ''] = row.split('|')
  return cell.match(NAMES) ?? []
}
const { ids }: { readonly ids: readonly string[] } = JSON.parse(readFileSync('test/fixtures/sync-ids.json', 'utf8'))

describe('docs/sync.md', () => {
  it('has a row for each option, as the program reads it', () => {
    expect(tableUnder('| flag | confd.toml |')).toEqual(optionRows())
  })
  it('has a row for each metric, as a scrape shows it', () => {
    expect(tableUnder('| name | labels | |')).toEqual(metricRows())
  })
})

describe('what differs from confd, in docs/sync.md', () => {
  const documented = tableUnder('| rule | confd | here |').flatMap((row) => row.split('|')[1]?.match(NAMES) ?? [])
  const inRules = readFileSync('test/fixtures/confd-rules.md', 'utf8').trimEnd().split('\n').map(namesOf)

  it('has a row for each rule that the tests beside confd show to differ', () => {
    const ids = [...DIFFERS, ...DAEMONS].flatMap(({ name }) => name.match(/SY-[A-Z]+-\d+/g) ?? [])
    expect(ids.filter((id) => !documented.includes(id))).toEqual([])
  })
  it('has a row for each rule of the specification that tells confd from sync, or a reason why not', () => {
    expect(inRules.filter((names) => !names.some((name) => documented.includes(name) || name in ALIKE))).toEqual([])
  })
  it('has none of a rule that there is not, and no rule that is alike', () => {
    const known = [...inRules.flat(), ...ids, 'lookupSRV']
    expect(documented.filter((name) => !known.includes(name) || name in ALIKE)).toEqual([])
    expect(Object.keys(ALIKE).filter((name) => !inRules.flat().includes(name))).toEqual([])
  })
})

describe('manifests/sync', () => {
  it('SY-SEED-1 loads as it is: the confd.toml of the seed, and its resource without a warning', async () => {
    const readFile = async (path: string) => readFileSync(path, 'utf8')
    const args = ['-config-file', 'manifests/sync/confd.toml', '-confdir', join(process.cwd(), 'manifests/sync')]
    const found = await settled({ args, env: {}, readFile, version: '' })
    if (found.do === 'end') throw new Error(found.err)
    expect(found.warnings).toEqual([])
    expect(found.options.of(OPTIONS.nodes)).toEqual(['http://127.0.0.1:2379'])
    const dir = await confDir(found.options, realFiles)
    if (dir.is !== 'there') throw new Error(dir.path)
    expect(dir.warnings).toEqual([])
    expect(dir.resources.map((each) => !isBroken(each))).toEqual([true])
  })
})
