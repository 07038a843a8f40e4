import jsonPatch from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { drop, set } from '../../../src/admission/mutation.ts'
import { type Edit, Patch, pointerTo } from '../../../src/admission/patch.ts'
import type { Tree } from '../../../src/schema.ts'

/** Keys such as `__proto__` come out of JSON.parse as data, out of a literal they would not. */
function carriedOut(text: string, edits: readonly Edit[]): { object: Tree; patch: readonly Edit[] } {
  const object: Tree = JSON.parse(text)
  const patch = new Patch(object)
  for (const edit of edits) patch.carryOut(edit)
  return { object, patch: patch.operations }
}

function applied(text: string, patch: readonly Edit[]): unknown {
  return jsonPatch.applyPatch(JSON.parse(text), structuredClone([...patch]), true).newDocument
}

describe('a pointer', () => {
  it.each([
    { steps: ['spec', 'size'], pointer: '/spec/size' },
    { steps: ['metadata', 'labels', 'tars.io/Parent'], pointer: '/metadata/labels/tars.io~1Parent' },
    { steps: ['a~b', 'c/d~1', ''], pointer: '/a~0b/c~1d~01/' },
    { steps: [], pointer: '' },
  ])('$pointer', ({ steps, pointer }) => {
    expect(pointerTo(...steps)).toBe(pointer)
  })
})

describe('a patch holds what changed, and the object is changed', () => {
  it.each([
    {
      name: 'a new field',
      text: '{"spec":{}}',
      edits: [set('/spec/size', 1)],
      patch: [{ op: 'add', path: '/spec/size', value: 1 }],
    },
    {
      name: 'another value, for which add serves too (W-6)',
      text: '{"spec":{"size":1}}',
      edits: [set('/spec/size', 2)],
      patch: [{ op: 'add', path: '/spec/size', value: 2 }],
    },
    { name: 'nothing where the value is there', text: '{"spec":{"size":1}}', edits: [set('/spec/size', 1)], patch: [] },
    {
      name: 'nothing where an equal tree is there, whatever the order of its keys',
      text: '{"spec":{"a":[1],"b":null}}',
      edits: [set('/spec', { b: null, a: [1] })],
      patch: [],
    },
    { name: 'nothing for an undefined value', text: '{"spec":{}}', edits: [set('/spec/size', undefined)], patch: [] },
    {
      name: 'an explicit null',
      text: '{"spec":{}}',
      edits: [set('/spec/size', null)],
      patch: [{ op: 'add', path: '/spec/size', value: null }],
    },
    { name: 'nothing where the parent is missing', text: '{}', edits: [set('/spec/size', 1)], patch: [] },
    { name: 'nothing where the parent is null', text: '{"spec":null}', edits: [set('/spec/size', 1)], patch: [] },
    { name: 'nothing where the parent is a text', text: '{"spec":"x"}', edits: [set('/spec/size', 1)], patch: [] },
    {
      name: 'a field of an item of a list',
      text: '{"spec":{"containers":[{"image":"a","args":["x"]},{"image":"b","ports":[{"port":1},{"port":2}]}]}}',
      edits: [
        set('/spec/containers/0/image', 'c'),
        drop('/spec/containers/0/args'),
        set('/spec/containers/1/ports/1/port', 3),
      ],
      patch: [
        { op: 'add', path: '/spec/containers/0/image', value: 'c' },
        { op: 'remove', path: '/spec/containers/0/args' },
        { op: 'add', path: '/spec/containers/1/ports/1/port', value: 3 },
      ],
    },
    {
      name: 'nothing where the list has no such item',
      text: '{"spec":[{"size":1}]}',
      edits: ['1', '-1', '00', '-', '1e0', 'length', '__proto__', ''].map((step) => set(`/spec/${step}/size`, 2)),
      patch: [],
    },
    {
      name: 'a list as a whole',
      text: '{"spec":[1]}',
      edits: [set('/spec', [1, 2])],
      patch: [{ op: 'add', path: '/spec', value: [1, 2] }],
    },
    {
      name: 'a removal',
      text: '{"spec":{"size":1,"color":"red"}}',
      edits: [drop('/spec/size')],
      patch: [{ op: 'remove', path: '/spec/size' }],
    },
    {
      name: 'the removal of a null, which is there',
      text: '{"spec":{"size":null}}',
      edits: [drop('/spec/size')],
      patch: [{ op: 'remove', path: '/spec/size' }],
    },
    { name: 'no removal of what is not there', text: '{"spec":{}}', edits: [drop('/spec/size')], patch: [] },
    { name: 'no removal where the parent is missing', text: '{}', edits: [drop('/spec/size')], patch: [] },
    {
      name: 'escaped keys',
      text: '{"metadata":{"labels":{"a/b~c":"x"}}}',
      edits: [set('/metadata/labels/a~1b~0c', 'y'), set('/metadata/labels/~01', 'z')],
      patch: [
        { op: 'add', path: '/metadata/labels/a~1b~0c', value: 'y' },
        { op: 'add', path: '/metadata/labels/~01', value: 'z' },
      ],
    },
    {
      name: 'the label map as one object, when it is missing (W-6)',
      text: '{"metadata":{}}',
      edits: [set('/metadata/labels/a', '1'), set('/metadata/labels/b', '2')],
      patch: [{ op: 'add', path: '/metadata/labels', value: { a: '1', b: '2' } }],
    },
    {
      name: 'the annotation map likewise',
      text: '{"metadata":{}}',
      edits: [set('/metadata/annotations/a', '1')],
      patch: [{ op: 'add', path: '/metadata/annotations', value: { a: '1' } }],
    },
    {
      name: 'the label map in place of null (W-4)',
      text: '{"metadata":{"labels":null}}',
      edits: [set('/metadata/labels/a', '1')],
      patch: [{ op: 'add', path: '/metadata/labels', value: { a: '1' } }],
    },
    {
      name: 'no label map for a label of undefined',
      text: '{"metadata":{}}',
      edits: [set('/metadata/labels/a', undefined)],
      patch: [],
    },
    {
      name: 'no label map for the sake of a removal',
      text: '{"metadata":{"labels":null}}',
      edits: [drop('/metadata/labels/a'), drop('/metadata/annotations/a')],
      patch: [],
    },
    { name: 'no label map without metadata', text: '{}', edits: [set('/metadata/labels/a', '1')], patch: [] },
    {
      name: 'no other map comes with its first entry',
      text: '{"metadata":{}}',
      edits: [set('/metadata/labelsx/a', '1'), set('/metadata/owner/a', '1')],
      patch: [],
    },
  ])('$name', ({ text, edits, patch }) => {
    const done = carriedOut(text, edits)
    expect(done.patch).toEqual(patch)
    expect(applied(text, done.patch)).toEqual(done.object)
    expect(carriedOut(JSON.stringify(done.object), edits).patch).toEqual([])
  })

  it.each([
    {
      name: 'later edits within a new value travel inside it',
      text: '{"spec":{}}',
      edits: [set('/spec/box', { size: { x: 1, y: 2 } }), set('/spec/box/size/x', 3), drop('/spec/box/size/y')],
      patch: [{ op: 'add', path: '/spec/box', value: { size: { x: 3 } } }],
    },
    {
      name: 'an item of a list goes, and others come before the one at their index, equal or not',
      text: '{"spec":[{"size":1},2]}',
      edits: [drop('/spec/0'), set('/spec/0', 2), set('/spec/2', { size: 3 }), set('/spec/2/size', 4)],
      patch: [
        { op: 'remove', path: '/spec/0' },
        { op: 'add', path: '/spec/0', value: 2 },
        { op: 'add', path: '/spec/2', value: { size: 4 } },
      ],
    },
    {
      name: 'no item beyond a list, and none of what is already carried',
      text: '{"spec":[1]}',
      edits: [
        set('/spec/2', 1),
        drop('/spec/1'),
        set('/spec/-', 1),
        set('/spec', [7]),
        set('/spec/1', 8),
        drop('/spec/0'),
      ],
      patch: [{ op: 'add', path: '/spec', value: [8] }],
    },
    {
      name: 'and so do edits within the items of a new list',
      text: '{"spec":{}}',
      edits: [set('/spec/list', [{ x: 1, y: 2 }]), set('/spec/list/0/x', 3), drop('/spec/list/0/y')],
      patch: [{ op: 'add', path: '/spec/list', value: [{ x: 3 }] }],
    },
    {
      name: 'a new value that is replaced travels twice, and the later one counts',
      text: '{"spec":{}}',
      edits: [set('/spec/box', { size: 1 }), set('/spec/box', { size: 2 }), set('/spec/box/color', 'red')],
      patch: [
        { op: 'add', path: '/spec/box', value: { size: 1 } },
        { op: 'add', path: '/spec/box', value: { size: 2, color: 'red' } },
      ],
    },
    {
      name: 'edits beside a new value travel on their own',
      text: '{"spec":{}}',
      edits: [set('/spec/box', {}), set('/spec/size', 1)],
      patch: [
        { op: 'add', path: '/spec/box', value: {} },
        { op: 'add', path: '/spec/size', value: 1 },
      ],
    },
  ])('$name', ({ text, edits, patch }) => {
    const done = carriedOut(text, edits)
    expect(done.patch).toEqual(patch)
    expect(applied(text, done.patch)).toEqual(done.object)
  })

  it('a constant that a kind hands in stays as it is', () => {
    const constant = { size: { x: 1 } }
    carriedOut('{"spec":{}}', [set('/spec/box', constant), set('/spec/box/size/x', 2)])
    expect(constant).toEqual({ size: { x: 1 } })
  })

  it('the next edit sees the one before', () => {
    const { patch } = carriedOut('{"spec":{}}', [set('/spec/size', 1), drop('/spec/size')])
    expect(patch).toEqual([
      { op: 'add', path: '/spec/size', value: 1 },
      { op: 'remove', path: '/spec/size' },
    ])
  })
})

describe('keys of the prototype are data like any other (SV-1)', () => {
  const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

  it.each(keys)('%s is written as an own key', (key) => {
    const { object, patch } = carriedOut('{"spec":{}}', [set(`/spec/${key}`, { polluted: true })])
    expect(JSON.stringify(object)).toBe(`{"spec":{"${key}":{"polluted":true}}}`)
    expect(patch).toEqual([{ op: 'add', path: `/spec/${key}`, value: { polluted: true } }])
    expect(Object.getPrototypeOf(object.spec)).toBe(Object.prototype)
  })

  it.each(keys)('%s is removed only where it is an own key', (key) => {
    expect(carriedOut('{"spec":{}}', [drop(`/spec/${key}`)]).patch).toEqual([])
    expect(carriedOut(`{"spec":{"${key}":1}}`, [drop(`/spec/${key}`)]).patch).toHaveLength(1)
  })

  it.each(keys)('%s is no way to what all objects share', (key) => {
    const { patch } = carriedOut('{"spec":{}}', [
      set(`/spec/${key}/polluted`, true),
      set('/spec/constructor/prototype/polluted', true),
    ])
    expect(patch).toEqual([])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it.each(keys)('%s is walked through where it is an own key', (key) => {
    const { object, patch } = carriedOut(`{"spec":{"${key}":{"a":1}}}`, [set(`/spec/${key}/a`, 2)])
    expect(JSON.stringify(object)).toBe(`{"spec":{"${key}":{"a":2}}}`)
    expect(patch).toEqual([{ op: 'add', path: `/spec/${key}/a`, value: 2 }])
  })
})
