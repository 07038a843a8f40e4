import { describe, expect, it } from 'vitest'
import { applicable } from '../../../../webhooks/kruise/list/applicable.ts'
import { combinedHash, componentIn, componentOf } from '../../../../webhooks/kruise/list/hash.ts'
import { patchesOf } from '../../../../webhooks/kruise/list/read.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'

const LARGE = { disk: 'large' }
type Lists = Parameters<typeof aDaemonSet>[0]
const componentFor = (lists: Lists, labels: Readonly<Record<string, string>> = LARGE) =>
  componentOf(applicable(patchesOf(aDaemonSet(lists)).entries, labels))

describe('the component of a Node', () => {
  const [A, B] = [anEntry({ spec: { hostNetwork: true } }), anEntry({})]

  it('PATCH-HASH-2 the hash of an entry is the first 16 hex digits of SHA-256 over its patch', () => {
    expect(componentFor({ field: [A] })).toBe('5b46b87ec121e778')
    expect(componentFor({ field: [B] })).toBe('44136fa355b3678a')
  })
  it('PATCH-HASH-3 the component lists those that apply, in their order; without any it is empty', () => {
    expect(componentFor({ field: [A, B] })).toBe('5b46b87ec121e77844136fa355b3678a')
    expect(componentFor({ field: [{ ...A, priority: 1 }, B] })).toBe('44136fa355b3678a5b46b87ec121e778')
    expect(componentFor({ field: [A, B] }, {})).toBe('')
  })
  it('PATCH-HASH-4, PATCH-HASH-5 behind the base it is the stamp, of which the component is compared alone', () => {
    const component = componentFor({ field: [A, B] })
    for (const base of ['7d4b9c', '5-stale']) expect(componentIn(combinedHash(base, component))).toBe(component)
    expect(combinedHash('7d4b9c', component)).toBe(`7d4b9c-${component}`)
    expect([undefined, '7d4b9c-', ''].map(componentIn)).toEqual(['', '', ''])
  })

  const C = anEntry({ spec: { terminationGracePeriodSeconds: 1 } })
  const elsewhere = anEntry({ spec: { hostPID: true } }, { selector: { matchLabels: { disk: 'small' } } })
  const text = `[ {"patch": {"spec":\n{"terminationGracePeriodSeconds": 1.0}},"priority":0, "selector":{"matchLabels":{"disk":"large"}}} ]`
  const labels = (value: unknown) => anEntry({ metadata: { labels: value } })
  const list = (items: readonly unknown[]) => anEntry({ spec: { tolerations: items } })

  it.each([
    {
      name: 'white space, key order, 1 or 1.0, annotation or field',
      before: { field: [C] },
      after: { annotation: text },
      changes: false,
    },
    {
      name: 'an entry added that does not apply',
      before: { field: [C] },
      after: { field: [elsewhere, C] },
      changes: false,
    },
    {
      name: 'one reprioritised that does not apply',
      before: { field: [elsewhere, C] },
      after: { field: [{ ...elsewhere, priority: 9 }, C] },
      changes: false,
    },
    {
      name: 'a selector edited, the same entries apply',
      before: { field: [C] },
      after: { field: [{ ...C, selector: { matchExpressions: [{ key: 'disk', operator: 'Exists' }] } }] },
      changes: false,
    },
    { name: 'a template edit', before: { field: [C] }, after: { field: [C], template: {} }, changes: false },
    { name: 'an edit of an applicable patch', before: { field: [C] }, after: { field: [A] }, changes: true },
    { name: 'two that apply swap their order', before: { field: [A, C] }, after: { field: [C, A] }, changes: true },
    { name: 'null or no key', before: { field: [labels({ a: null })] }, after: { field: [labels({})] }, changes: true },
    {
      name: 'the order of elements in a patch',
      before: { field: [list([{ key: 'a' }, { key: 'b' }])] },
      after: { field: [list([{ key: 'b' }, { key: 'a' }])] },
      changes: true,
    },
  ])('PATCH-HASH-3 $name: changes is $changes', ({ before, after, changes }) => {
    expect(componentFor(before) !== componentFor(after)).toBe(changes)
  })
  it('PATCH-HASH-3 a label of the Node changes it if another set of entries applies, and else not', () => {
    const field = [C, elsewhere]
    expect(componentFor({ field }, { disk: 'small' })).not.toBe(componentFor({ field }))
    expect(componentFor({ field }, { ...LARGE, zone: 'z' })).toBe(componentFor({ field }))
  })
})
