import { describe, expect, it } from 'vitest'
import { DAEMONSETS } from '../../../../webhooks/kruise/daemonsets.ts'
import { patchesOf } from '../../../../webhooks/kruise/list/read.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'

const AT = 'metadata.annotations[daemonset.kruise.io/patches]'
const OTHER = anEntry({ spec: { hostPID: true } })
const patchesIn = (lists: Parameters<typeof aDaemonSet>[0]) =>
  patchesOf(aDaemonSet(lists)).entries.map(({ patch }) => patch)

describe('the list stands in spec.patches (PATCH-API-1) or in an annotation (PATCH-API-2)', () => {
  it.each([
    { name: 'PATCH-API-1 in the field', lists: { field: [anEntry(), OTHER] }, patches: [anEntry(), OTHER] },
    { name: 'PATCH-API-2 in the annotation', lists: { annotation: [anEntry()] }, patches: [anEntry()] },
    { name: 'an empty text is none', lists: { annotation: '' }, patches: [] },
    { name: 'an empty array is none', lists: { annotation: [] }, patches: [] },
    {
      name: 'PATCH-API-3 the field counts first',
      lists: { field: [OTHER], annotation: [anEntry()] },
      patches: [OTHER],
    },
    { name: 'an empty field gives way', lists: { field: [], annotation: [anEntry()] }, patches: [anEntry()] },
    { name: 'null gives way', lists: { field: null, annotation: [anEntry()] }, patches: [anEntry()] },
    {
      name: 'PATCH-API-5 neither the template nor another annotation brings patches',
      lists: {
        template: { metadata: { annotations: { 'daemonset.kruise.io/patches': '[]' } }, patches: [anEntry()] },
        annotations: { 'kruise.io/patches': JSON.stringify([anEntry()]) },
      },
      patches: [],
    },
  ])('$name', ({ lists, patches }) => {
    expect(patchesIn(lists)).toEqual(patches.map(({ patch }) => patch))
  })

  it('an entry is read with its index, its priority and its hash', () => {
    const annotation = [anEntry(), anEntry(undefined, { priority: -7 })]
    const [first, second] = patchesOf(aDaemonSet({ annotation })).entries
    const selector = { matchLabels: { disk: 'large' }, matchExpressions: [] }
    expect(first).toEqual({ ...anEntry(), selector, index: 0, priority: 0, hash: '5b46b87ec121e778' })
    expect(second).toEqual({ ...first, index: 1, priority: -7 })
  })

  it('each of the three resources reads a list of any shape, and keeps the rest', () => {
    for (const of of DAEMONSETS)
      for (const field of [7, null, 'x', [null], { a: 1 }]) expect(of.isDraft(aDaemonSet({ field }))).toBe(true)
  })
})

describe('a list that cannot be read as one is left out whole (PATCH-ORD-3)', () => {
  const fields = 'allowed: selector, patch, priority'
  const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

  it.each([
    { annotation: '{}', says: `${AT}: not a JSON array: expected an array (PATCH-V-02)` },
    { annotation: 'null', says: `${AT}: not a JSON array: expected an array (PATCH-V-02)` },
    { annotation: '- patch: {}', says: /^metadata.*: not a JSON array: .* JSON.* \(PATCH-V-02\)$/ },
    {
      annotation: '[{"selector":{},"patch":{"a":1,"a":2}}]',
      says: `${AT}: not a JSON array: duplicate key "a" (PATCH-V-02)`,
    },
    { annotation: ' '.repeat(262_145), says: `${AT}: not a JSON array: longer than 262144 characters (PATCH-V-02)` },
    { field: {}, says: 'spec.patches: not a JSON array: expected an array (PATCH-V-02)' },
    { field: [anEntry(), null], says: 'spec.patches[1]: expected an object (PATCH-V-04)' },
    { annotation: [{ ...anEntry(), when: 1 }], says: `${AT}[0]: unknown field "when"; ${fields} (PATCH-V-04)` },
    { field: [{ selector: {} }], says: 'spec.patches[0].patch: patch is required (PATCH-V-04)' },
    { field: [anEntry([])], says: 'spec.patches[0].patch: expected an object (PATCH-V-04)' },
    { field: [anEntry(deep(300))], says: 'spec.patches[0].patch: nested deeper than 200 levels (PATCH-V-04)' },
    { field: [{ patch: {} }], says: 'spec.patches[0].selector: selector is required (PATCH-V-06)' },
    { field: [{ patch: {}, selector: [] }], says: 'spec.patches[0].selector: expected an object (PATCH-V-06)' },
    {
      field: [{ patch: {}, selector: { matchFields: [] } }],
      says: 'spec.patches[0].selector: unknown field "matchFields"; allowed: matchLabels, matchExpressions (PATCH-V-06)',
    },
    ...[2 ** 31, -(2 ** 31) - 1, 0.5, '1', null].map((priority) => ({
      field: [anEntry({}, { priority })],
      says: 'spec.patches[0].priority: must be an integer between -2147483648 and 2147483647 (PATCH-V-09)',
    })),
  ])('$says', ({ says, ...lists }) => {
    const { entries, unreadable } = patchesOf(aDaemonSet({ ...lists }))
    expect(entries).toEqual([])
    if (typeof says === 'string') expect(unreadable).toBe(says)
    else expect(unreadable).toMatch(says)
  })

  it('what is wrong in another way is read: too many, too long, an invalid patch or selector', () => {
    const field = Array.from({ length: 20 }, () =>
      anEntry({ spec: 7, note: 'x'.repeat(2_000) }, { selector: { matchLabels: 7 } }),
    )
    expect(patchesOf(aDaemonSet({ field })).entries).toHaveLength(20)
    expect(patchesOf(aDaemonSet({ field: [anEntry(deep(199))] })).entries).toHaveLength(1)
  })

  it('keys of the prototype are data', () => {
    const annotation =
      '[{"selector":{"matchLabels":{"__proto__":"x"}},"patch":{"__proto__":{"spec":1},"constructor":null}}]'
    const { entries } = patchesOf(aDaemonSet({ annotation }))
    expect(entries.map(({ patch }) => Object.keys(patch))).toEqual([['__proto__', 'constructor']])
    expect(Object.getPrototypeOf({}).spec).toBeUndefined()
  })
})
