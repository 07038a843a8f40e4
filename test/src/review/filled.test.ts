import { describe, expect, it } from 'vitest'
import { filled } from '../../../src/review/filled.ts'
import {
  choice,
  flag,
  integer,
  integerOrText,
  list,
  map,
  nullable,
  object,
  type Tree,
  text,
} from '../../../src/schema.ts'

const doc = { doc: 'Text.' }
const part = object(
  { name: text(doc), mode: choice(['on', 'off'], doc), port: integer({ ...doc, minimum: 1 }), at: integerOrText(doc) },
  { own: flag(doc), from: object({ path: text(doc), deep: list(text(doc), doc) }), note: nullable(text(doc)) },
)
const { json } = object({ size: integer(doc) }, { parts: list(part, doc), levels: map(integer(doc), doc) })
const names = { apiVersion: 'v1', kind: 'Gadget', metadata: { name: 7 } }
const PART = { name: 'a', mode: 'off', port: 5, at: '50%' }
const FILLED = { name: '', mode: 'on', port: 1, at: '' }

describe('what the schema refuses is filled so that rules can be asked of the rest', () => {
  it.each<{ name: string; given: Tree; copy: Tree; misfits: readonly string[] }>([
    { name: 'nothing of what fits', given: { parts: [PART], more: 1 }, copy: { parts: [PART], more: 1 }, misfits: [] },
    { name: 'a field of a wrong type is left out', given: { size: '1' }, copy: {}, misfits: ['size'] },
    {
      name: 'a value of a map, too',
      given: { levels: { a: 1, 'b/c': 'x' } },
      copy: { levels: { a: 1 } },
      misfits: ['levels[b/c]'],
    },
    {
      name: 'null counts as absent, or as a value',
      given: { size: null, parts: [{ ...PART, note: null }] },
      copy: { size: null, parts: [{ ...PART, note: null }] },
      misfits: [],
    },
    {
      name: 'what an item lacks is put there, at any depth',
      given: { parts: [{ name: 'a', mode: 'off', at: '50%', from: { path: '/a' } }] },
      copy: { parts: [{ ...PART, port: 1, from: { path: '/a', deep: [] } }] },
      misfits: ['parts[0].from.deep', 'parts[0].port'],
    },
    {
      name: 'an item of a wrong type has something in its place',
      given: { parts: [PART, 'x', { ...PART, own: 'yes', at: [] }] },
      copy: { parts: [PART, FILLED, { ...PART, at: '' }] },
      misfits: [
        'parts[1]',
        'parts[1].name',
        'parts[1].mode',
        'parts[1].port',
        'parts[1].at',
        'parts[2].at',
        'parts[2].own',
      ],
    },
  ])('$name', ({ given, copy, misfits }) => {
    const answer = filled({ ...names, ...given }, json)
    expect(answer.copy).toEqual({ ...names, ...copy })
    expect([...answer.misfits].sort()).toEqual([...misfits].sort())
  })
})
