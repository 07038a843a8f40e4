import fc from 'fast-check'
import jsonPatch from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { Patch } from '../../../../src/admission/patch.ts'
import { editsBetween } from '../../../../webhooks/kruise/pod/edits.ts'

const pathsOf = (before: string, after: string) =>
  editsBetween(JSON.parse(before), JSON.parse(after)).map(({ op, path }) => `${op} ${path}`)

describe('PATCH-POD-16 the edits between two objects are fine-grained', () => {
  it.each([
    {
      before: '{"a":1,"b":{"c":2,"d":3}}',
      after: '{"a":1,"b":{"c":4,"e":5}}',
      edits: ['remove /b/d', 'add /b/c', 'add /b/e'],
    },
    { before: '{"a":{"b":[1]}}', after: '{"a":{"b":[1]}}', edits: [] },
    { before: '{"a":null,"b":null}', after: '{"b":1}', edits: ['add /b'] },
    { before: '{"a":{}}', after: '{"a":[]}', edits: ['add /a'] },
    {
      before: '{"l":[{"n":1},{"n":2},{"n":3}]}',
      after: '{"l":[{"n":1},{"n":2,"v":0},{"n":3}]}',
      edits: ['add /l/1/v'],
    },
    { before: '{"l":[{"n":1},{"n":2}]}', after: '{"l":[{"n":0},{"n":1},{"n":2}]}', edits: ['add /l/0'] },
    { before: '{"l":[{"n":1},{"n":2},{"n":3}]}', after: '{"l":[{"n":3}]}', edits: ['remove /l/1', 'remove /l/0'] },
    { before: '{"l":[1,2,3]}', after: '{"l":[1,4,3]}', edits: ['remove /l/1', 'add /l/1'] },
    { before: '{"l":[7,7]}', after: '{"l":[7,7,7]}', edits: ['add /l/2'] },
    { before: '{"l":[]}', after: '{"l":[[1],[2]]}', edits: ['add /l/0', 'add /l/1'] },
    { before: '{"a/b":{"~":1}}', after: '{"a/b":{"~":2}}', edits: ['add /a~1b/~0'] },
    { before: '{"__proto__":1}', after: '{"constructor":2}', edits: ['remove /__proto__', 'add /constructor'] },
  ])('$before to $after', ({ before, after, edits }) => {
    expect(pathsOf(before, after)).toEqual(edits)
  })

  it('and applied by the API server they yield the second one, of any two objects', () => {
    const values = [fc.integer({ min: 0, max: 2 }), fc.constant(null), fc.constant('x')]
    const tree = fc.object({ key: fc.constantFrom('a', 'b', 'c', '/'), values, maxDepth: 3, maxKeys: 4 })
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        const patch = new Patch(structuredClone(before))
        for (const edit of editsBetween(before, after)) patch.carryOut(edit)
        const patched: unknown = jsonPatch.applyPatch(
          structuredClone(before),
          structuredClone([...patch.operations]),
          true,
        ).newDocument
        expect(withoutNulls(patched)).toEqual(withoutNulls(after))
      }),
      { numRuns: 3_000 },
    )
  })

  it('values are copied: the first object is edited in place, and parts of it may stand in the second', () => {
    const [a, b] = [
      { n: 'a', list: [1] },
      { n: 'b', list: [2, 3] },
    ]
    const before = { list: [a, b] }
    const edits = editsBetween(before, { list: [{ ...b, x: 1 }, a] })
    const patch = new Patch(before)
    for (const edit of edits) patch.carryOut(edit)
    expect(before).toEqual({
      list: [
        { n: 'b', list: [2, 3], x: 1 },
        { n: 'a', list: [1] },
      ],
    })
  })
})

/** As the API server decodes: of an object, a null is no value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutNulls(each)]))
}
