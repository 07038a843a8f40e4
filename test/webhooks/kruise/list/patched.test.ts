import { describe, expect, it } from 'vitest'
import { applicable } from '../../../../webhooks/kruise/list/applicable.ts'
import { templateHash } from '../../../../webhooks/kruise/list/hash.ts'
import { consistent, patchedTemplate } from '../../../../webhooks/kruise/list/patched.ts'
import { patchesOf } from '../../../../webhooks/kruise/list/read.ts'
import { readingOf } from '../../../../webhooks/kruise/list/reading.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'

const inOrder = (...patches: readonly object[]) =>
  applicable(patchesOf(aDaemonSet({ field: patches.map((each) => anEntry(each)) })).entries, { disk: 'large' })
const env = (...items: readonly object[]) => ({ spec: { containers: [{ name: 'agent', env: items }] } })
const container = (more: object) => ({ spec: { containers: [{ name: 'agent', ...more }] } })

describe('entries are merged into a template', () => {
  const template = { metadata: { labels: { app: 'agent' } }, ...container({ image: 'agent:1' }) }

  it('PATCH-ORD-1 one after the other, and the template stays as it is', () => {
    const before = structuredClone(template)
    const entries = inOrder(env({ name: 'A', value: '1' }, { name: 'B', value: '1' }), env({ name: 'A', value: '2' }))
    const merged = [
      { name: 'A', value: '2' },
      { name: 'B', value: '1' },
    ]
    expect(patchedTemplate(template, entries)).toEqual({ ...template, ...container({ image: 'agent:1', env: merged }) })
    expect(patchedTemplate(template, entries.toReversed())).toMatchObject(
      env({ name: 'A', value: '1' }, { name: 'B', value: '1' }),
    )
    expect(template).toEqual(before)
  })

  it('PATCH-ORD-3 one that cannot be merged fails all, and is named by its index', () => {
    const entries = inOrder({ spec: { hostPID: true } }, env({ value: '1' }))
    expect(() => patchedTemplate({ ...container({ env: [{ name: 'A' }] }) }, entries)).toThrow(
      /^patch 1: spec\.containers\[0\]\.env/,
    )
  })

  it('without the directives and nulls that are left', () => {
    const entries = inOrder({
      spec: { containers: [{ name: 'new', image: 'x', command: null, $retainKeys: ['name'] }] },
    })
    expect(patchedTemplate({}, entries)).toEqual({ spec: { containers: [{ name: 'new', image: 'x' }] } })
  })
})

describe('PATCH-HASH-7 the hash of the patched template', () => {
  const template = container({ image: 'agent:1' })
  const [A, B] = [{ spec: { hostPID: true } }, { spec: { hostIPC: true } }]

  it('is the first 16 hex digits of SHA-256 over its canonical JSON', () => {
    expect(templateHash({ spec: {} }, inOrder({ spec: { hostNetwork: true } }))).toBe('5b46b87ec121e778')
  })
  it('is equal for a harmless reorder and for an edit that changes nothing', () => {
    const hash = templateHash(template, inOrder(A, B))
    expect(templateHash(template, inOrder(B, A))).toBe(hash)
    expect(templateHash(template, inOrder(A, B, container({ image: 'agent:1' })))).toBe(hash)
  })
  it('differs with the template, and with what the patches do', () => {
    const hash = templateHash(template, inOrder(A, B))
    expect(templateHash(container({ image: 'agent:2' }), inOrder(A, B))).not.toBe(hash)
    expect(templateHash(template, inOrder(A))).not.toBe(hash)
  })
})

describe('what derives from a patched value', () => {
  const spec = {
    priorityClassName: 'low',
    priority: 1,
    preemptionPolicy: 'Never',
    runtimeClassName: 'runc',
    overhead: { cpu: '1' },
    serviceAccountName: 'a',
    serviceAccount: 'a',
  }
  const result = (patch: object, before: object = spec) => {
    const entries = inOrder({ spec: patch })
    return consistent({ spec: before }, patchedTemplate({ spec: before }, entries), entries).spec
  }
  const { priority: _, preemptionPolicy: __, ...noPriority } = spec
  const { overhead: ___, ...noOverhead } = spec

  it.each([
    {
      name: 'PATCH-POD-INV-6 priority and preemption go with another class',
      patch: { priorityClassName: 'high' },
      is: { ...noPriority, priorityClassName: 'high' },
    },
    { name: 'PATCH-POD-INV-6 and stay with the same one', patch: { priorityClassName: 'low' }, is: spec },
    {
      name: 'PATCH-POD-INV-7 the overhead goes with another class',
      patch: { runtimeClassName: 'kata' },
      is: { ...noOverhead, runtimeClassName: 'kata' },
    },
    { name: 'PATCH-POD-INV-7 and stays with the same one', patch: { hostPID: true }, is: { ...spec, hostPID: true } },
    {
      name: 'PATCH-POD-INV-8 the alias follows the service account',
      patch: { serviceAccountName: 'b' },
      is: { ...spec, serviceAccountName: 'b', serviceAccount: 'b' },
    },
  ])('$name', ({ patch, is }) => {
    expect(result(patch)).toEqual(is)
  })
  it('PATCH-POD-INV-8 the alias goes with the service account, and stays while it does', () => {
    expect(result({ serviceAccountName: null })).not.toHaveProperty('serviceAccount')
    expect(result({ hostPID: true }, { serviceAccount: 'other' })).toEqual({ serviceAccount: 'other', hostPID: true })
  })

  const resources = (requests: object, limits?: object) => ({ resources: { requests, ...(limits && { limits }) } })
  it.each([
    {
      name: 'an extended resource',
      requests: { 'nvidia.com/gpu': 1 },
      limits: undefined,
      filled: { 'nvidia.com/gpu': 1 },
    },
    {
      name: 'huge pages',
      requests: { 'hugepages-2Mi': '4Mi' },
      limits: { cpu: 1 },
      filled: { cpu: 1, 'hugepages-2Mi': '4Mi' },
    },
    {
      name: 'a limit that is there stays',
      requests: { 'a.io/b': 1 },
      limits: { 'a.io/b': 2 },
      filled: { 'a.io/b': 2 },
    },
    {
      name: 'a resource of Kubernetes needs none',
      requests: { cpu: 1, 'kubernetes.io/x': 1, 'a.kubernetes.io/x': 1 },
      limits: undefined,
      filled: undefined,
    },
  ])('PATCH-POD-INV-9 a request gets a limit: $name', ({ requests, limits, filled }) => {
    for (const list of ['containers', 'initContainers']) {
      const patch = { [list]: [{ name: 'agent', ...resources(requests, limits) }] }
      const before = { [list]: [{ name: 'agent' }, { name: 'other', ...resources({ 'a.io/b': 1 }) }] }
      const [agent, other] = [
        { name: 'agent', ...resources(requests, filled) },
        { name: 'other', ...resources({ 'a.io/b': 1 }) },
      ]
      expect(result(patch, before), list).toEqual({ [list]: [agent, other] })
    }
  })
})

describe('a DaemonSet is read once for each of its versions (PATCH-POD-34)', () => {
  const [large, named] = [
    anEntry(),
    { selector: { matchExpressions: [{ key: 'host', operator: 'Exists' }] }, patch: {} },
  ]
  it('and each set of the labels that a selector names is chosen for once', () => {
    const reading = readingOf(aDaemonSet({ field: [large, named] }))
    const choice = reading.choiceFor({ disk: 'large', host: 'a' })
    expect(choice.entries.map(({ index }) => index)).toEqual([0, 1])
    expect(reading.choiceFor({ disk: 'large', host: 'a', zone: 'z' })).toBe(choice)
    expect(reading.choiceFor({ disk: 'large', host: 'b' })).not.toBe(choice)
    expect([{}, null, undefined].map((labels) => reading.choiceFor(labels).component)).toEqual(['', '', ''])
    expect(choice.templateHash()).toBe(choice.templateHash())
  })
  it('the same object is not read again, another one is', () => {
    const daemonSet = aDaemonSet({ field: [large] })
    expect(readingOf(daemonSet)).toBe(readingOf(daemonSet))
    expect(readingOf(structuredClone(daemonSet))).not.toBe(readingOf(daemonSet))
    expect(readingOf({ metadata: { name: 'bare' } })).toMatchObject({ entries: [], template: {} })
  })
  it('no more than a thousand sets are kept', () => {
    const reading = readingOf(aDaemonSet({ field: [named] }))
    const first = reading.choiceFor({ host: '0' })
    for (let i = 1; i < 1_000; i += 1) reading.choiceFor({ host: String(i) })
    expect(reading.choiceFor({ host: '0' })).toBe(first)
    for (let i = 1_000; i < 1_002; i += 1) reading.choiceFor({ host: String(i) })
    expect(reading.choiceFor({ host: '0' })).not.toBe(first)
  })
})
