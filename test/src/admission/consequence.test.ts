import { describe, expect, it } from 'vitest'
import type { Change } from '../../../src/admission/change.ts'
import { type Consequence, followUpOf } from '../../../src/admission/consequence.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aMark, created, deleted, updated } from '../../support/builders/gadgets.ts'
import { readerOf } from '../../support/fakes/readers.ts'

type OnWrite = Extract<Consequence<Gadget>, { on: 'write' }>
type OnDelete = Extract<Consequence<Gadget>, { on: 'delete' }>
const marks = (wishes: Partial<OnWrite> = {}): OnWrite => ({
  id: 'XX-S1',
  says: 'marks its owner',
  on: 'write',
  follow: async ({ next }) => ({ intents: [aMark(next.spec.owner ?? '')], warnings: ['marked'] }),
  ...wishes,
})
const unmarks = (wishes: Partial<OnDelete> = {}): OnDelete => ({
  id: 'XX-S2',
  says: 'unmarks its owner',
  on: 'delete',
  follow: async ({ prev }) => ({ intents: [aMark(prev.spec.owner ?? '')], warnings: [] }),
  ...wishes,
})

const around = { cluster: readerOf(), isNamespaceTerminating: async () => false }

async function marked(
  consequences: readonly Consequence<Gadget>[],
  change: Change<Gadget>,
  isNamespaceTerminating = around.isNamespaceTerminating,
) {
  const { intents, warnings } = await followUpOf(consequences, change, { ...around, isNamespaceTerminating })
  return [...intents.map(({ action }) => action.ref.name), ...warnings]
}
const owned = aGadget({ owner: 'ann' })
const byController = { user: { name: 'x', among: ['CTRL'] as const } }

describe('what follows from a change', () => {
  it.each([
    { change: created(owned), found: ['ann', 'marked'] },
    { change: updated(aGadget({ owner: 'bob' }), owned), found: ['ann', 'marked'] },
    { change: deleted(aGadget({ owner: 'bob' })), found: ['bob'] },
  ])('follows on $change.operation as it says', async ({ change, found }) => {
    expect(await marked([marks(), unmarks()], change)).toEqual(found)
  })

  it('does not where `when` says no', async () => {
    const seldom = marks({ when: ({ next }) => next.spec.active === true })
    expect(await marked([seldom], created(owned))).toEqual([])
    expect(await marked([seldom], created(aGadget({ owner: 'ann', active: true })))).toHaveLength(2)
    expect(await marked([unmarks({ when: ({ prev }) => prev.spec.owner === 'bob' })], deleted(owned))).toEqual([])
  })

  it.each([
    { name: 'a write', consequence: marks({ exempt: ['CTRL'] }), change: created(owned, byController) },
    { name: 'a delete', consequence: unmarks({ exempt: ['KUBE', 'CTRL'] }), change: deleted(owned, byController) },
  ])('does not where the caller is exempt: $name', async ({ consequence, change }) => {
    expect(await marked([consequence], change)).toEqual([])
  })

  it.each([
    { name: 'KUBE', among: 'KUBE', when: true, terminating: false, found: 0 },
    { name: 'a deputy', among: 'DEPUTY', when: true, terminating: false, found: 1 },
    { name: 'a deputy while the namespace is terminating', among: 'DEPUTY', when: true, terminating: true, found: 0 },
    { name: 'a deputy where `when` says no', among: 'DEPUTY', when: false, terminating: false, found: 0 },
  ] as const)('on a delete by $name $found follow (tars.md 1.5)', async ({ among, when, terminating, found }) => {
    let requested = 0
    const isNamespaceTerminating = async () => {
      requested += 1
      return terminating
    }
    const change = deleted(owned, { user: { name: 'x', among: [among] } })
    const consequence = unmarks({ exempt: ['KUBE'], when: () => when })
    expect(await marked([consequence], change, isNamespaceTerminating)).toHaveLength(found)
    expect(requested).toBe(among === 'DEPUTY' && when ? 1 : 0)
  })

  it('follows for callers that others exempt', async () => {
    expect(await marked([marks({ exempt: ['KUBE'] })], created(owned, byController))).toHaveLength(2)
    expect(await marked([marks()], created(owned, byController))).toHaveLength(2)
  })

  it('is all that follows from any of them, in their order', async () => {
    const late = marks({ follow: async () => ({ intents: [aMark('late')], warnings: ['last'] }) })
    expect(await marked([late, marks()], created(owned))).toEqual(['late', 'ann', 'last', 'marked'])
  })

  it('names the consequence that each mark follows from', async () => {
    const { intents } = await followUpOf([marks(), marks({ id: 'XX-S3' })], created(owned), around)
    expect(intents.map(({ rule }) => rule)).toEqual(['XX-S1', 'XX-S3'])
  })

  it('looks things up in the cluster that it is given', async () => {
    const reader = readerOf(owned)
    const looking = marks({
      follow: async (_, cluster) => {
        const others = await cluster.list(GADGET, { namespace: 'demo' })
        return { intents: others.map(({ metadata }) => aMark(metadata.name)), warnings: [] }
      },
    })
    expect((await followUpOf([looking], created(owned), { ...around, cluster: reader })).intents).toHaveLength(1)
    expect(reader.reads).toEqual(['list Gadget demo {}'])
  })
})
