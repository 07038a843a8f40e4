import { describe, expect, it } from 'vitest'
import {
  choice,
  flag,
  integer,
  integerOrText,
  isTree,
  LONGEST_TEXT,
  list,
  map,
  moment,
  nullable,
  object,
  oneOf,
  type Shape,
  text,
  usually,
} from '../../src/schema.ts'
import { draftOf, outlineOf, validator } from '../../src/schema-check.ts'

const server = object(
  { app: text({ doc: 'App.', minLength: 1, maxLength: 3, pattern: '^[a-z]*$' }) },
  {
    kind: choice(['tars', 'normal'], { doc: 'Kind.', default: 'tars' }),
    replicas: integer({ doc: 'Replicas.', minimum: 0, maximum: 9, default: 1 }),
    idle: flag({ doc: 'Idle.', default: false }),
    ports: list(object({ name: text({ doc: 'Name.' }) }), { doc: 'Ports.', maxItems: 2 }),
    env: map(integer({ doc: 'Value.' }), { doc: 'Environment.' }),
    note: nullable(text({ doc: 'Note.' })),
  },
  'A server.',
)
type Server = Shape<typeof server>

describe('fields in one vocabulary', () => {
  it('become the schema of a CRD', () => {
    expect(server.json).toEqual({
      type: 'object',
      description: 'A server.',
      required: ['app'],
      properties: {
        app: { type: 'string', description: 'App.', minLength: 1, maxLength: 3, pattern: '^[a-z]*$' },
        kind: { type: 'string', description: 'Kind.', enum: ['tars', 'normal'], default: 'tars' },
        replicas: { type: 'integer', description: 'Replicas.', minimum: 0, maximum: 9, default: 1 },
        idle: { type: 'boolean', description: 'Idle.', default: false },
        ports: {
          type: 'array',
          description: 'Ports.',
          maxItems: 2,
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string', description: 'Name.', maxLength: LONGEST_TEXT } },
          },
        },
        env: {
          type: 'object',
          description: 'Environment.',
          additionalProperties: { type: 'integer', description: 'Value.' },
        },
        note: { type: 'string', description: 'Note.', maxLength: LONGEST_TEXT, nullable: true },
      },
    })
  })

  it('where nothing is required, say nothing of it', () => {
    expect(object({}, { a: flag({ doc: 'A.' }) }).json).toEqual({
      type: 'object',
      properties: { a: { type: 'boolean', description: 'A.' } },
    })
  })

  it('become a type', () => {
    const least: Server = { app: 'a' }
    const most: Server = {
      app: 'a',
      kind: 'normal',
      replicas: 1,
      idle: true,
      ports: [{ name: 'p' }],
      env: { a: 1 },
      note: null,
    }
    // @ts-expect-error: app is required
    const none: Server = {}
    // @ts-expect-error: none of the choices
    const other: Server = { app: 'a', kind: 'other' }
    expect([least, most, none, other].map(validator(server.json))).toEqual([true, true, false, false])
  })
})

describe('a validator', () => {
  const fits = validator(server.json)
  const fitsAsDraft = validator(draftOf(server.json))

  it.each([
    { name: 'the least', value: { app: 'a' }, whole: true, draft: true },
    { name: 'fields that are unknown', value: { app: 'a', other: 1 }, whole: true, draft: true },
    { name: 'null where it is allowed', value: { app: 'a', note: null }, whole: true, draft: true },
    { name: 'an empty list', value: { app: 'a', ports: [] }, whole: true, draft: true },
    { name: 'nothing', value: {}, whole: false, draft: true },
    { name: 'a missing field deeper down', value: { app: 'a', ports: [{}] }, whole: false, draft: true },
    { name: 'an empty text that is required', value: { app: '' }, whole: false, draft: true },
    { name: 'a longer text', value: { app: 'abcd' }, whole: false, draft: true },
    { name: 'a text of another form', value: { app: 'A' }, whole: false, draft: true },
    { name: 'another choice', value: { app: 'a', kind: 'x' }, whole: false, draft: true },
    { name: 'a smaller number', value: { app: 'a', replicas: -1 }, whole: false, draft: true },
    { name: 'a greater number', value: { app: 'a', replicas: 10 }, whole: false, draft: true },
    { name: 'a fraction', value: { app: 'a', replicas: 1.5 }, whole: false, draft: false },
    { name: 'a number without end', value: JSON.parse('{"app":"a","replicas":1e400}'), whole: false, draft: false },
    { name: 'a number as a text', value: { app: 'a', replicas: '1' }, whole: false, draft: false },
    { name: 'a flag as a text', value: { app: 'a', idle: 'true' }, whole: false, draft: false },
    { name: 'null where it is not allowed', value: { app: 'a', kind: null }, whole: false, draft: false },
    {
      name: 'too many items',
      value: { app: 'a', ports: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      whole: false,
      draft: true,
    },
    { name: 'an item of another type', value: { app: 'a', ports: ['a'] }, whole: false, draft: false },
    { name: 'a value of a map', value: { app: 'a', env: { a: '1' } }, whole: false, draft: false },
    {
      name: 'a key of the prototype',
      value: JSON.parse('{"app":"a","env":{"__proto__":"1"}}'),
      whole: false,
      draft: false,
    },
    { name: 'null', value: null, whole: false, draft: false },
    { name: 'a list', value: [], whole: false, draft: false },
    { name: 'undefined', value: undefined, whole: false, draft: false },
  ])('$name', ({ value, whole, draft }) => {
    expect([fits(value), fitsAsDraft(value)]).toEqual([whole, draft])
  })

  it('fills in nothing: defaults are the API server’s business (W-5)', () => {
    const value = { app: 'a' }
    fits(value)
    expect(value).toEqual({ app: 'a' })
  })

  it('a draft keeps the types at every depth, and nothing else: no mutation stops at a text that is too long (W-4)', () => {
    expect(draftOf(server.json)).toMatchObject({
      properties: {
        app: { type: 'string' },
        ports: { items: { type: 'object', properties: { name: { type: 'string' } } } },
        env: { additionalProperties: { type: 'integer' } },
        note: { nullable: true },
      },
    })
    const limits = /required|Length|pattern|enum|maximum|minimum|Items|description/
    expect(JSON.stringify(draftOf(server.json))).not.toMatch(limits)
  })
  it('keeps of an outline what has to be there as well', () => {
    const fits = validator(outlineOf(server.json))
    expect(fits({ app: 'much too long', ports: [{ name: '' }, { name: '' }, { name: '' }] })).toBe(true)
    expect([{}, { app: 1 }, { app: '', ports: [{}] }].map(fits)).toEqual([false, false, false])
  })
})

describe('what Kubernetes says in its own way', () => {
  it.each([
    ['2024-05-01T08:00:00Z', true],
    ['2024-05-01T08:00:00.123456Z', true],
    ['2000-02-29T08:00:00Z', true],
    ['2024-12-31T08:00:00Z', true],
    ['2024-05-01T08:00:00+08:00', true],
    ['2024-02-29T23:59:59.5+08:00', true],
    ['2024-05-01T08:00:00-23:59', true],
    ['0000-01-01T00:00:00Z', true],
    ['2024-05-01', false],
    ['2024-13-01T08:00:00Z', false],
    ['2024-00-01T08:00:00Z', false],
    ['2024-05-00T08:00:00Z', false],
    ['2024-05-32T08:00:00Z', false],
    ['2024-04-31T08:00:00Z', false],
    ['2024-11-31T08:00:00Z', false],
    ['1900-02-29T08:00:00Z', false],
    ['2024-02-30T08:00:00Z', false],
    ['2023-02-29T08:00:00Z', false],
    ['2024-05-01T24:00:00Z', false],
    ['2016-12-31T23:59:60Z', false],
    ['2024-05-01T08:00:00', false],
    ['2024-05-01T08:00:00+0800', false],
    ['2024-05-01T08:00:00+8:00', false],
    ['2024-05-01T08:00Z', false],
    ['2024-05-01T08:00:00.Z', false],
    ['2024-05-01T08:00:00,5Z', false],
    ['2024-05-01T08:00:00.1234567890Z', false],
    ['2024-05-01t08:00:00Z', false],
    ['2024-05-01T08:00:00z', false],
    ['2024-05-01T08:00:00Ztea', false],
    ['2024-05-01T08:00:00x5Z', false],
    ['2024-05-01T08:60:00Z', false],
    ['2024-05-01T08:00:00+24:00', false],
    ['2024-05-01T08:00:00+08:60', false],
    ['2024-05-01T08:00:00Z\n', false],
    ['2024-05-01 08:00:00Z', false],
    ['', false],
  ])('%j is a moment, as whoever reads it in Go says: %s', (text, fits) => {
    expect(validator(moment({ doc: 'When.' }).json)(text)).toBe(fits)
  })
  it.each([
    [1, true],
    ['500m', true],
    [1.5, false],
    [true, false],
  ])('%j is an integer or a text: %s', (value, fits) => {
    expect(validator(integerOrText({ doc: 'How much.' }).json)(value)).toBe(fits)
  })
  it('a script is called by its name alone, as Go does', () => {
    const fits = validator(text({ doc: 'Name.', pattern: '^[a-z\\p{Han}]+$' }).json)
    expect(['abc', '张三abc', 'ж'].map(fits)).toEqual([true, true, false])
  })
  it('of several fields an object has exactly one', () => {
    const source = oneOf(object({}, { a: text({ doc: 'A.' }), b: text({ doc: 'B.' }) }), ['a', 'b'])
    const values = [{ a: '' }, { b: '' }, {}, { a: '', b: '' }]
    expect(values.map(validator(source.json))).toEqual([true, true, false, false])
    expect(values.map(validator(draftOf(source.json)))).toEqual([true, true, true, true])
  })
  it('an object may be there without its author, for the defaults of its fields', () => {
    expect(usually(object({}, {}), {}).json).toMatchObject({ type: 'object', default: {} })
  })
  it('the items of a list may have keys', () => {
    expect(list(object({ id: text({ doc: 'Id.' }) }), { doc: 'Things.', keys: ['id'] }).json).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
    })
  })
})

describe('a tree is an object of JSON', () => {
  it.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    ['x', false],
    [7, false],
    [true, false],
    [undefined, false],
  ])('%j: %s', (value, tree) => {
    expect(isTree(value)).toBe(tree)
  })
})

describe('the length of a text', () => {
  const fits = validator(text({ doc: 'Text.', maxLength: 2 }).json)
  it.each([
    { name: 'two letters', value: 'ab', fit: true },
    { name: 'three letters', value: 'abc', fit: false },
    { name: 'two characters of two units each', value: '😀😀', fit: true },
    { name: 'three of them', value: '😀😀😀', fit: false },
    { name: 'a half and a whole one', value: '\ud83d😀', fit: true },
    { name: 'two halves the wrong way round and a whole one', value: '\ude00\ud83d😀', fit: false },
  ])('is counted as the API server counts: $name', ({ value, fit }) => {
    expect(fits(value)).toBe(fit)
  })
})
