import { describe, expect, it } from 'vitest'
import { annotation, drop, dropLabel, label, set } from '../../../src/admission/mutation.ts'
import { becomes, overruled } from '../../../src/admission/overruled.ts'
import { type Edit, Patch } from '../../../src/admission/patch.ts'
import { fitted } from '../../../src/admission/warnings.ts'
import { LAST_APPLIED } from '../../../src/kube/metadata.ts'
import { integer, type JsonSchema, list, map, object, secret, type Tree, text } from '../../../src/schema.ts'
import { sent } from '../../support/builders/gadgets.ts'

const BY = { id: 'XX-M1', why: 'it is so' }
const DOC = { doc: 'Text.' }
const size = object({}, { size: integer({ default: 1, doc: 'Size.' }), name: text(DOC) })
const PLAIN = object({ spec: size }).json
const WHY = ', for it is so (XX-M1)'

interface Case {
  readonly object: Tree
  readonly edit: Edit
  readonly stored?: Tree
  readonly schema?: JsonSchema
}

/** What an author reads of one edit, and how much was noted for it. */
function shown({ object: written, edit, stored, schema = PLAIN }: Case) {
  const copy = structuredClone(written)
  const patch = new Patch(copy)
  patch.carryOut(edit, BY)
  const raw = sent(stored === undefined ? 'CREATE' : 'UPDATE', { object: copy, oldObject: stored })
  return { noted: patch.overrulings, warnings: overruled(patch.overrulings ?? [], [schema], raw) }
}

describe('what a mutation replaces or removes is named with both values, the reason and the rule', () => {
  const labels = (value: unknown) => ({ metadata: { labels: { 'a/b': value } } })
  it.each([
    { object: { spec: { size: 3 } }, edit: set('/spec/size', 0), warning: `spec.size: 3 becomes 0${WHY}` },
    { object: { spec: { size: 3 } }, edit: drop('/spec/size'), warning: `spec.size: 3 is removed${WHY}` },
    { object: { spec: false }, edit: set('/spec', true), warning: `spec: false becomes true${WHY}` },
    { object: { spec: 'x' }, edit: set('/spec', ''), warning: `spec: "x" becomes ""${WHY}` },
    { object: labels('x'), edit: label('a/b', 'y'), warning: `metadata.labels[a/b]: "x" becomes "y"${WHY}` },
    { object: labels('x'), edit: dropLabel('a/b'), warning: `metadata.labels[a/b]: "x" is removed${WHY}` },
    {
      object: { metadata: { annotations: { note: 'x' } } },
      edit: annotation('note', 'y'),
      warning: `metadata.annotations[note]: "x" becomes "y"${WHY}`,
    },
    {
      object: { spec: { a: 1, b: { c: 2 } } },
      edit: set('/spec', { a: 1, b: { c: 3 }, d: 4 }),
      warning: `spec.b.c: 2 becomes 3${WHY}`,
    },
    { object: { list: [{ n: 1 }, 2] }, edit: set('/list', [{ n: 1, t: 9 }, 3]), warning: `list[1]: 2 becomes 3${WHY}` },
    { object: { list: [1, 1, 2] }, edit: set('/list', [1, 2]), warning: `list[1]: 1 is removed${WHY}` },
    { object: { list: [1] }, edit: set('/list', []), warning: `list: [1] becomes []${WHY}` },
    { object: { list: [{ n: 1 }] }, edit: set('/list/0/n', 2), warning: `list[0].n: 1 becomes 2${WHY}` },
    { object: { map: { 0: { n: 1 } } }, edit: set('/map/0/n', 2), warning: `map.0.n: 1 becomes 2${WHY}` },
    { object: { list: { a: 1 } }, edit: set('/list', []), warning: `list: {"a":1} becomes []${WHY}` },
  ])('$warning', ({ warning, ...given }) => {
    expect(shown(given).warnings).toEqual([warning])
    expect(shown({ ...given, stored: {} }).warnings).toEqual([warning])
  })

  it('whole where it is short, however little room is left', () => {
    const by = { id: 'TC-M11', why: 'the webhook notes who activates, and when' }
    expect(becomes({ field: 'metadata.annotations[tars.io/ActivatedBy]', was: 'evil', now: 'admin' }, by)).toBe(
      `metadata.annotations[tars.io/ActivatedBy]: "evil" becomes "admin", for ${by.why} (TC-M11)`,
    )
  })

  it('without a reason, the rule alone', () => {
    expect(becomes({ field: 'size', was: 3, now: 0 }, { id: 'XX-M1' })).toBe('size: 3 becomes 0 (XX-M1)')
  })
})

describe('nothing is noted, nor a list made for it', () => {
  it.each([
    { name: 'where what is missing is filled in', object: { spec: {} }, edit: set('/spec/size', 0) },
    { name: 'where null is filled in', object: { spec: { size: null } }, edit: set('/spec/size', 0) },
    { name: 'where an empty text is filled in', object: { spec: { name: '' } }, edit: set('/spec/name', 'x') },
    { name: 'where an empty text is removed', object: { spec: { name: '' } }, edit: drop('/spec/name') },
    { name: 'where nothing changes', object: { spec: { size: 3 } }, edit: set('/spec/size', 3) },
    { name: 'where what is removed is missing', object: { spec: {} }, edit: drop('/spec/size') },
    { name: 'where labels come into being', object: { metadata: {} }, edit: label('a/b', 'x') },
  ])('$name', (given) => {
    expect(shown(given)).toEqual({ noted: undefined, warnings: [] })
  })
})

describe('nothing is said', () => {
  const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c', of: 'x' }]
  it.each([
    {
      name: 'of what came back as it is stored',
      object: { spec: { size: 3, name: 'new' } },
      stored: { spec: { size: 3, name: 'old' } },
      edit: set('/spec/size', 0),
    },
    {
      name: 'of a stored item, wherever it stands now',
      object: { list: [a, b, c] },
      stored: { list: [c, a] },
      edit: set('/list', [a, b, { id: 'c', of: '' }]),
    },
    {
      name: 'of the stored field of an item that is changed otherwise',
      object: { list: [{ ...c, note: 'new' }] },
      stored: { list: [c] },
      edit: set('/list', [{ ...c, note: 'new', of: '' }]),
    },
    {
      name: 'of a stored item that is left out',
      object: { list: [a, b, c] },
      stored: { list: [b, c] },
      edit: set('/list', [a, c]),
    },
    { name: 'of items that gain a field', object: { list: [a, b] }, edit: set('/list', [a, { ...b, time: 1 }]) },
    {
      name: 'of a default, which the API server fills in before (W-5)',
      object: { spec: { size: 1 } },
      edit: set('/spec/size', 0),
    },
  ])('$name', (given) => {
    expect(shown(given).warnings).toEqual([])
  })
})

describe('the order of keys changes no word (W-9)', () => {
  const read = (text: string) => shown({ object: JSON.parse(text), edit: set('/spec', { a: 0, b: [0] }) }).warnings
  it.each([
    { name: 'of one value', one: '{"spec":[{"b":[1,{}],"a":[]}]}', other: '{"spec":[{"a":[],"b":[1,{}]}]}' },
    { name: 'of several', one: '{"spec":{"b":[1],"a":2}}', other: '{"spec":{"a":2,"b":[1]}}' },
  ])('$name', ({ one, other }) => {
    expect(read(one)).not.toEqual([])
    expect(read(one)).toEqual(read(other))
  })
  it('nor does a stored item become another by it', () => {
    const given = { object: { list: [{ a: 1, b: 2 }, 3] }, stored: { list: [0, { b: 2, a: 1 }] } }
    expect(shown({ ...given, edit: set('/list', [{ a: 1, b: 0 }, 3]) }).warnings).toEqual([])
  })
})

describe('a default is the author’s', () => {
  const edit = set('/spec/size', 0)
  const applied = (text: string) => ({ metadata: { annotations: { [LAST_APPLIED]: text } }, spec: { size: 1 } })

  it('where kubectl apply notes that it was written', () => {
    const warnings = [`spec.size: 1 becomes 0${WHY}`]
    expect(shown({ object: applied('{"spec":{"size":1}}'), edit }).warnings).toEqual(warnings)
    expect(shown({ object: { spec: { size: 1 } }, stored: { spec: { size: 0 } }, edit }).warnings).toEqual(warnings)
  })
  const owned = (entry: object) => ({ metadata: { managedFields: [entry] }, spec: { size: 1 } })
  it('where a server-side apply owns it', () => {
    const entry = { manager: 'kubectl', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:size': {} } } }
    expect(shown({ object: owned(entry), edit }).warnings).toEqual([`spec.size: 1 becomes 0${WHY}`])
  })
  it.each([
    { name: 'other fields', entry: { operation: 'Apply', fieldsV1: { 'f:spec': { 'f:name': {} } } } },
    { name: 'it by an update', entry: { operation: 'Update', fieldsV1: { 'f:spec': { 'f:size': {} } } } },
    { name: 'nothing', entry: { operation: 'Apply' } },
  ])('and not where the writer owns $name', ({ entry }) => {
    expect(shown({ object: owned(entry), edit }).warnings).toEqual([])
  })
  it.each(['{"spec":{}}', '{"spec":', 'null', ''])('and not where its note is %j', (text) => {
    expect(shown({ object: applied(text), edit }).warnings).toEqual([])
  })
})

describe('a kind that has a secret quotes no value', () => {
  const key = secret({ doc: 'Secret.' })
  it.each([
    { name: 'in a field', schema: object({ spec: object({ key }) }).json },
    { name: 'in a list', schema: object({ spec: list(key, DOC) }).json },
    { name: 'in a map', schema: object({ spec: map(key, DOC) }).json },
  ])('$name', ({ schema }) => {
    const written = { spec: { other: 'Passw0rd!' } }
    expect(shown({ object: written, edit: drop('/spec/other'), schema }).warnings).toEqual([
      `spec.other: removed${WHY}`,
    ])
    expect(shown({ object: written, edit: set('/spec/other', 'x'), schema }).warnings).toEqual([
      `spec.other: replaced${WHY}`,
    ])
  })
})

describe('a warning has 120 characters at most (AP-9)', () => {
  const long = 'x'.repeat(1_000_000)
  const row = (was: unknown, now: unknown) => becomes({ field: 'spec.size', was, now }, BY)

  it.each([
    { name: 'a long old value', was: long, now: 0, start: 'spec.size: "xxx', end: `… becomes 0${WHY}` },
    { name: 'a long new value', was: 3, now: long, start: 'spec.size: 3 becomes "xxx', end: `…${WHY}` },
    { name: 'two', was: long, now: long, start: 'spec.size: "xxx', end: `…${WHY}` },
    { name: 'one that goes', was: long, now: undefined, start: 'spec.size: "xxx', end: `… is removed${WHY}` },
    {
      name: 'characters of two halves',
      was: '😀'.repeat(99),
      now: 0,
      start: 'spec.size: "😀',
      end: `… becomes 0${WHY}`,
    },
    { name: 'a tree', was: { a: long }, now: undefined, start: 'spec.size: {"a":"xxx', end: `… is removed${WHY}` },
  ])('$name is cut, and the reason stays', ({ was, now, start, end }) => {
    const warning = row(was, now)
    expect([warning.startsWith(start), warning.endsWith(end)]).toEqual([true, true])
    expect([...warning].length).toBeGreaterThan(100)
    expect([...warning].length).toBeLessThanOrEqual(120)
  })

  it('of a hundred thousand items nine are named', () => {
    const items = Array.from({ length: 100_000 }, (_, i) => ({ name: `a${i}`, of: 'x' }))
    const emptied = items.map((item) => ({ ...item, of: '' }))
    const { warnings } = shown({ object: { items }, edit: set('/items', emptied) })
    expect(fitted(warnings)).toEqual([
      ...Array.from({ length: 9 }, (_, i) => `items[${i}].of: "x" becomes ""${WHY}`),
      `items: and more${WHY}`,
    ])
  })
  it('of ten items nine, and of nine all', () => {
    const lines = (count: number) =>
      shown({ object: { items: Array(count).fill(1) }, edit: set('/items', Array(count).fill(2)) })
    expect(lines(10).warnings).toHaveLength(10)
    expect(lines(10).warnings.at(-1)).toBe(`items: and more${WHY}`)
    expect(lines(9).warnings.at(-1)).toBe(`items[8]: 1 becomes 2${WHY}`)
  })
})
