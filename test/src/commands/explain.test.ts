import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isTree } from '../../../src/schema.ts'
import { treesOf } from '../../support/builders/trees.ts'
import { ran } from '../../support/world.ts'

/** The rows of docs/rules.md by their ids, as a browser shows them. */
const ROWS = Map.groupBy(
  readFileSync('docs/rules.md', 'utf8')
    .split('\n')
    .map((line) =>
      line
        .replace(/<a id="\S+"><\/a>/, '')
        .replaceAll(/`(<\w+>)`/g, '$1')
        .replaceAll('\\|', '|'),
    )
    .filter((line) => /^\| [A-Z]+-/.test(line)),
  (line) => line.split(' | ')[0]?.slice(2) ?? '',
)
const BAD = readdirSync('manifests/samples/bad').map((name) => {
  const file = `manifests/samples/bad/${name}`
  const [, ids = '', why = ''] = /^# Refused by ([^:]+): (.*)/.exec(readFileSync(file, 'utf8')) ?? []
  return { file, ids: ids.split(', '), why }
})

const SHOWN = [...new Set(BAD.flatMap(({ ids }) => ids))].flatMap((id) => {
  const [best] = BAD.filter(({ ids }) => ids.includes(id)).sort((one, other) => one.ids.length - other.ids.length)
  return best === undefined ? [] : [{ ...best, id }]
})

describe('explain RULE', () => {
  it.each([...ROWS])('%s has the text of its rows in docs/rules.md', async (id, rows) => {
    const { code, out } = await ran(['explain', id, '-o', 'json'])
    expect(code).toBe(0)
    const told: unknown = JSON.parse(out)
    const cells = treesOf(isTree(told) ? told.rows : []).map(({ kind: _, ...row }) => Object.values(row))
    expect(cells.map((row) => `| ${row.join(' | ')} |`)).toEqual(rows)
  })

  it.each(SHOWN)(
    '$id: with the sample that the fewest others refuse, $file, which says why',
    async ({ id, file, why }) => {
      const { out } = await ran(['explain', id])
      expect(out).toContain(`\n\nwhy: ${why}\n\nA bad example, ${file}:\n\n  # Refused by `)
    },
  )

  it('reads as a person reads it, in whatever case the id is typed', async () => {
    const { out } = await ran(['explain', 'ts-v8'])
    expect(out).toMatch(/^TS-V8 of TServer\n {2}on +CREATE, UPDATE\n {2}field +spec\.tars\.servants\[\]\.name\n/)
    expect(out).toContain('\n  remedy  give each a name of its own\n')
    expect(out).toMatch(
      /\nA good example, from manifests\/samples\/good\/tservers\.yaml:\n[\s\S]*\n {2}kind: TServer\n/,
    )
    expect(out.slice(out.indexOf('A good example'))).toContain('servants:')
  })

  it.each([
    { words: [], says: 'explain takes one rule, such as TS-V8' },
    { words: ['TS-V8', 'TS-V9'], says: 'explain takes one rule, such as TS-V8' },
    { words: ['XX-V1'], says: 'there is no rule "XX-V1"; docs/rules.md has them all' },
    { words: ['TS-V8', '-o', 'html'], says: '-o html is no form of this command' },
    { words: ['TS-V8', '-o', 'yaml'], says: '-o yaml is the form of review --plan' },
  ])('$words is wrong usage', async ({ words, says }) => {
    expect(await ran(['explain', ...words])).toEqual({ code: 2, out: '', err: `tars-admission: ${says}\n` })
  })
})
