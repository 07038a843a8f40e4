import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keptFor, suffices } from '../../../../../src/cluster/kept.ts'
import { Cache } from '../../../../../src/cluster/kube/cache/cache.ts'
import { SharedCache } from '../../../../../src/cluster/kube/cache/shared-cache.ts'
import type { Built } from '../../../../../src/cluster/port.ts'
import { GADGET } from '../../../../support/builders/gadget.ts'

function pod(name: string, ...kinds: readonly string[]): Built {
  const owner = { apiVersion: 'apps/v1', name: 'o', uid: 'o' }
  const ownerReferences = kinds.map((kind) => ({ ...owner, kind, controller: kind !== 'Node' }))
  return { metadata: { name, namespace: 'demo', ...(kinds.length > 0 && { ownerReferences }) } }
}
const PODS = [pod('orphan'), pod('of-node', 'Node'), pod('ours', 'DaemonSet'), pod('other', 'StatefulSet')]

it('a cache for one kind of owner keeps what is its own and what nothing controls', async () => {
  const cache = new Cache({ byLabels: [], ownerKind: 'DaemonSet' })
  const shared = new SharedCache(cache, () => undefined)
  const told: string[] = []
  const deaf = { begin() {}, add() {}, done() {} }
  shared.join({
    ...deaf,
    put: ({ metadata }) => told.push(`put ${metadata.name}`),
    remove: ({ metadata }) => told.push(`remove ${metadata.name}`),
  })
  await setImmediate()
  shared.begin()
  shared.add(PODS)
  shared.done()
  const names = () => cache.list({ namespace: 'demo' }).map(({ metadata }) => metadata.name)
  expect(names()).toEqual(['orphan', 'of-node', 'ours'])
  for (const each of [pod('other', 'StatefulSet'), pod('orphan', 'StatefulSet'), pod('new', 'DaemonSet')])
    shared.put(each)
  expect(names()).toEqual(['of-node', 'ours', 'new'])
  expect(told).toEqual(['remove orphan', 'put new'])
})

it('it serves those who ask for that kind alone', () => {
  expect(suffices({ ownerKind: 'DaemonSet' }, { ownerKind: 'DaemonSet' })).toBe(true)
  expect(suffices({ ownerKind: 'DaemonSet' }, {})).toBe(false)
  expect(suffices({}, { ownerKind: 'DaemonSet' })).toBe(true)
})

it.each([
  { kinds: ['DaemonSet', 'DaemonSet'], kept: 'DaemonSet' },
  { kinds: ['DaemonSet', 'StatefulSet'], kept: undefined },
  { kinds: ['DaemonSet', undefined], kept: undefined },
])('it is for the kind that all ask for: $kinds', ({ kinds, kept }) => {
  const needs = kinds.map((kind) => ({ resource: GADGET, keeps: kind === undefined ? {} : { ownerKind: kind } }))
  expect(keptFor(needs).map(({ ownerKind }) => ownerKind)).toEqual([kept])
})
