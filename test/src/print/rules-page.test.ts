import { describe, expect, it } from 'vitest'
import type { Consequence } from '../../../src/admission/consequence.ts'
import type { Mutation } from '../../../src/admission/mutation.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import { rulesPage } from '../../../src/print/rules-page.ts'
import type { Gadget } from '../../support/builders/gadget.ts'
import { aKind, aRule } from '../../support/builders/gadgets.ts'
import { due } from '../../support/due.ts'
import { kinds } from '../../support/kinds.ts'

const onDelete: Rule<Gadget> = {
  id: 'XX-V1',
  on: 'delete',
  exempt: ['KUBE'],
  check: () => [],
  message: () => '',
  remedy: '',
}
const withoutAnchors = (page: string) => page.replaceAll(/<a id="[-\w]+"><\/a>/g, '')
const rowsOf = (page: string) =>
  withoutAnchors(page)
    .split('\n')
    .filter((line) => line.startsWith('| XX'))

describe('the page of the rules', () => {
  it('has a section for each kind and a row for each of its mutations and rules', () => {
    const page = rulesPage(kinds)
    for (const { resource, rules, mutations } of kinds) {
      expect(page).toContain(`\n## ${resource.kind}\n`)
      for (const { id } of [...rules, ...mutations]) expect(withoutAnchors(page)).toContain(`\n| ${id} | `)
    }
  })
  it('tells a rule in its own words, with a word for what is filled in', () => {
    expect(rowsOf(rulesPage([aKind({ validate: [aRule()] })]))).toEqual([
      '| XX-V1 | CREATE, UPDATE |  | `<value>` is too high | take a lower one | 422 |  |',
    ])
  })
  it('has one section for kinds of one name that share their rules', () => {
    const validate = [aRule()]
    const page = rulesPage([aKind({ validate }), aKind({ validate }), aKind({ validate: [aRule()] })])
    expect(page.match(/^## .*$/gm)).toHaveLength(2)
    expect(page).toContain('Of test.tars.io/v1, test.tars.io/v1.')
  })

  it('leads a link to the first row of an id, and says which field it is about', () => {
    const page = rulesPage([aKind({ validate: [aRule({ field: 'spec.levels' }), aRule()] })])
    const anchors = page
      .split('\n')
      .filter((line) => line.includes('XX-V1'))
      .map((line) => line.split(' | ').slice(0, 3))
    expect(anchors).toEqual([
      ['| <a id="xx-v1"></a>XX-V1', 'CREATE, UPDATE', 'spec.levels'],
      ['| XX-V1', 'CREATE, UPDATE', ''],
    ])
  })
  it.each(['PATCH-V-23c', 'CF-OWN-08'])('leads a link to %s as well', (id) => {
    const anchor = `| <a id="${id.toLowerCase()}"></a>${id} | CREATE, UPDATE |`
    expect(rulesPage([aKind({ validate: [aRule({ id })] })])).toContain(anchor)
  })
  it.each([
    { name: 'a warning', rule: aRule({ effect: 'warn' }), ends: '| warning |  |' },
    {
      name: 'what depends on the profile',
      rule: aRule({ effect: { seed: 'warn', upstream: 'refuse' } }),
      ends: '| 422 (seed: warn, upstream: refuse) |  |',
    },
    { name: 'who is refused for who he is', rule: aRule({ reason: 'Forbidden' }), ends: '| 403 |  |' },
    {
      name: 'whom it does not bind',
      rule: aRule({ exempt: ['CTRL', 'KUBE'] }),
      ends: '| 422 | our own controllers; the controllers of Kubernetes |',
    },
    {
      name: 'whom it does not bind on DELETE',
      rule: onDelete,
      ends: '| 422 | the namespace controller, and the other controllers of Kubernetes while the namespace is terminating |',
    },
    {
      name: 'whom it does not bind on UPDATE',
      rule: aRule({ exempt: ['KUBE'], exemptOnUpdate: ['CTRL'] }),
      ends: '| 422 | the controllers of Kubernetes; our own controllers, on UPDATE |',
    },
    {
      name: 'which the API server says by itself',
      rule: aRule({ cel: { at: 'spec.title', holds: 'self == oldSelf' } }),
      ends: '| 422, checked by the CustomResourceDefinition |  |',
    },
    {
      name: 'each turn that the words take',
      rule: aRule({
        examples: [
          { path: 'a', value: 1 },
          { path: 'b', value: 2 },
        ],
      }),
      ends: '| 1 is too high; or: 2 is too high | take a lower one | 422 |  |',
    },
    {
      name: 'a remedy that takes turns where the words do not',
      rule: aRule({
        examples: [
          { path: 'a', value: 1 },
          { path: 'b', value: 1 },
        ],
        remedy: ({ path }) => `mend ${path}`,
      }),
      ends: '| 1 is too high | mend a; or: mend b | 422 |  |',
    },
    { name: 'a stroke in a sentence', rule: aRule({ remedy: 'a|b' }), ends: '| a\\|b | 422 |  |' },
  ])('tells $name', ({ rule, ends }) => {
    const [row = ''] = rowsOf(rulesPage([aKind({ validate: [rule] })]))
    expect(row.slice(-ends.length)).toBe(ends)
  })
  describe('tells what a mutation refuses', () => {
    const rule = aRule()
    const refusing: Mutation<Gadget> = { id: 'XX-M1', says: 'refuses', refuses: rule, edits: () => [] }
    const rows = [
      '| XX-M1 | refuses |',
      '| XX-V1 | CREATE, UPDATE |  | `<value>` is too high | take a lower one | 422 |  |',
    ]
    it.each([
      { name: 'in words of its own', validate: [] },
      { name: 'once, where a rule says the same', validate: [rule] },
    ])('$name', ({ validate }) => {
      expect(rowsOf(rulesPage([aKind({ mutate: [refusing], validate })]))).toEqual(rows)
    })
  })
  it('has a word on every id that is due, also where nothing is done', () => {
    const page = rulesPage(kinds)
    const elsewhere = /^(W-|TC-S[3-6]$)/ // of the machine
    expect(due.filter((id) => !elsewhere.test(id) && !new RegExp(`\\b${id}\\b`).test(page))).toEqual([])
  })
  it('has no angle bracket that a reader would not see, for it begins a tag where no code is', () => {
    expect(withoutAnchors(rulesPage(kinds)).replaceAll(/`[^`\n]*`/g, '')).not.toMatch(/<[a-z/!?]/i)
  })
  it('tells whom a mutation or a consequence does not bind, where there is somebody', () => {
    const mutate: Mutation<Gadget>[] = [
      { id: 'XX-M1', says: 'sets this', edits: () => [] },
      { id: 'XX-M2', says: 'sets that', exempt: ['CTRL'], edits: () => [] },
    ]
    expect(rowsOf(rulesPage([aKind({ mutate })]))).toEqual([
      '| XX-M1 | sets this |  |',
      '| XX-M2 | sets that | our own controllers |',
    ])
  })
  it('tells that a kind does not meet what we write of it ourselves', () => {
    const [door] = aKind({}).doors
    const doors = door === undefined ? [] : [{ ...door, exceptOurselves: true as const }]
    const shown = 'None of this applies to what the webhook itself writes (service account `tars-webhook`).'
    expect(rulesPage([aKind({ doors })])).toContain(`\n\n${shown}\n`)
    expect(rulesPage([aKind({})])).not.toContain(shown)
  })
  it('tells consequences after the rules', () => {
    const marking: Consequence<Gadget> = {
      id: 'XX-S1',
      says: 'marks the others',
      on: 'delete',
      follow: async () => ({ intents: [], warnings: [] }),
    }
    const page = rulesPage([aKind({ validate: [aRule()], consequences: [marking] })])
    expect(withoutAnchors(page).split('\n').slice(-4)).toEqual([
      '| consequence | what it does |',
      '| --- | --- |',
      '| XX-S1 | marks the others |',
      '',
    ])
  })
})
