import { describe, expect, it } from 'vitest'
import { type Built, Refused, type Stored } from '../../../src/cluster/port.ts'
import { isStored } from '../../../src/cluster/stored.ts'
import { Fault } from '../../../src/faults.ts'
import type { Action, ApplyAction } from '../../../src/reconcile/action.ts'
import { type ActionWriter, digestOf } from '../../../src/reconcile/apply.ts'
import { writerWith } from '../../../src/reconcile/turn-writer.ts'
import type { Tree } from '../../../src/schema.ts'
import { SERVICE } from '../../../webhooks/tars/workloads.ts'
import { clusterOf } from '../../support/clusters.ts'
import { readerOf } from '../../support/fakes/readers.ts'

const AT = { namespace: 'demo', name: 'one' }
const desired = (spec: Tree = { type: 'ClusterIP' }): Built => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: AT,
  spec,
})
const live = (spec: Tree, metadata: Tree = {}): Stored => {
  const annotations = { 'tars.io/Applied': digestOf(desired()) }
  const object: unknown = {
    ...desired(spec),
    metadata: { ...AT, uid: 'u', resourceVersion: '7', annotations, ...metadata },
  }
  if (isStored(object)) return object
  throw new Error('it has a name')
}
const applyOf = (over?: Stored, spec?: Tree): ApplyAction => ({
  do: 'apply',
  of: SERVICE,
  object: desired(spec),
  because: 'WK-12',
  ...(over && { over }),
})

/** Answers each write as the case says, and notes it. */
function writing(answers: readonly (Stored | Error)[] = [], count?: () => void) {
  const sent: { readonly verb: string; readonly body: unknown }[] = []
  const answer = async (verb: string, body: unknown): Promise<Stored> => {
    sent.push({ verb, body })
    const next = answers[sent.length - 1] ?? live({}, { resourceVersion: String(7 + sent.length) })
    if (next instanceof Error) throw next
    return next
  }
  const writer: ActionWriter = {
    ...clusterOf(),
    apply: (_, object, options) => answer(`apply as ${options.manager}`, object),
    create: (_, object) => answer('create', object),
    merge: (_, __, patch) => answer('merge', patch),
    patch: (_, __, operations) => answer('patch', operations),
    remove: async (_, __, options) => void (await answer('remove', options)),
  }
  const beginWith = writerWith({ live: readerOf(), adopts: [], ...(count && { countFutile: count }) })
  return { sent, begin: () => beginWith(writer) }
}

describe('WK-4, WR-3 an apply is compared before it is written', () => {
  it('and is needless where nothing differs', async () => {
    const { sent, begin } = writing()
    expect(await begin()(applyOf(live({ type: 'ClusterIP', clusterIP: 'None' })))).toEqual({ outcome: 'needless' })
    expect(sent).toEqual([])
  })

  it.each([
    { name: 'drift', over: live({ type: 'NodePort' }) },
    {
      name: 'another digest, since a field has left the mapping',
      over: live({ type: 'ClusterIP' }, { annotations: { 'tars.io/Applied': 'x' } }),
    },
    { name: 'no digest', over: live({ type: 'ClusterIP' }, { annotations: {} }) },
  ])('and is written after $name', async ({ over }) => {
    const { sent, begin } = writing()
    expect(await begin()(applyOf(over))).toMatchObject({ outcome: 'done' })
    const annotations = { 'tars.io/Applied': digestOf(desired()) }
    const metadata = { ...AT, annotations, resourceVersion: '7' }
    expect(sent).toEqual([{ verb: 'apply as tars-controller', body: { ...desired(), metadata } }])
  })

  it('by a digest of 16 hex digits that no order of fields changes', () => {
    expect(digestOf({ a: 1, b: { c: [1], d: 2 } })).toBe(digestOf({ b: { d: 2, c: [1] }, a: 1 }))
    expect(digestOf({ a: [1, 2] })).not.toBe(digestOf({ a: [2, 1] }))
    expect(digestOf({})).toMatch(/^[0-9a-f]{16}$/)
  })
})

describe('WK-12 an apply counts for one version alone', () => {
  it('"1" where nothing was read, in the name of another manager if it has one', async () => {
    const { sent, begin } = writing()
    await begin()({ ...applyOf(), manager: 'other' })
    expect(sent).toMatchObject([{ verb: 'apply as other', body: { metadata: { resourceVersion: '1' } } }])
  })

  it('a conflict is overtaken', async () => {
    const { begin } = writing([new Fault('CONFLICT', 'it was modified')])
    expect(await begin()(applyOf())).toMatchObject({ outcome: 'overtaken' })
  })

  it('within one turn it goes on with the version of its last answer, and the next turn does not', async () => {
    const { sent, begin } = writing()
    const [over, write] = [live({ type: 'NodePort' }), begin()]
    const merge: Action = {
      do: 'merge',
      of: SERVICE,
      ref: AT,
      patch: {},
      because: '',
      expects: { uid: 'u', resourceVersion: '7' },
    }
    await write(applyOf(over))
    await write(merge)
    await write(applyOf(over))
    await write({ ...merge, expects: { uid: 'u', resourceVersion: '6' } })
    await write({ ...merge, ref: { ...AT, name: 'two' } })
    await begin()(merge)
    expect(sent.map(({ body }) => body)).toMatchObject(
      ['7', '8', '9', '6', '7', '7'].map((resourceVersion) => ({ metadata: { resourceVersion } })),
    )
  })

  it('what follows its creation in the same turn is no creation', async () => {
    const { sent, begin } = writing()
    const write = begin()
    await write(applyOf())
    await write(applyOf(undefined, { type: 'NodePort' }))
    expect(sent.map(({ body }) => body)).toMatchObject([
      { metadata: { resourceVersion: '1' } },
      { metadata: { resourceVersion: '8' } },
    ])
  })
})

describe('WK-4 a futile apply', () => {
  const over = live({ type: 'NodePort' })
  it('is counted, and not repeated for this version and digest, also in later turns', async () => {
    let count = 0
    const { sent, begin } = writing([over, over], () => count++)
    expect(await begin()(applyOf(over))).toEqual({ outcome: 'needless' })
    expect(await begin()(applyOf(over))).toEqual({ outcome: 'needless' })
    expect([sent.length, count]).toEqual([1, 1])
    await begin()(applyOf(over, { type: 'Other' }))
    expect([sent.length, count]).toEqual([2, 2])
    await begin()(applyOf(live({ type: 'NodePort' }, { resourceVersion: '8' })))
    expect(sent).toHaveLength(3)
  })

  it('is forgotten after ten thousand others', async () => {
    const objects = Array.from({ length: 10_001 }, (_, i) => live({ type: 'NodePort' }, { uid: `u${i}` }))
    const { sent, begin } = writing([...objects, over, over])
    for (const each of objects) await begin()(applyOf(each))
    await begin()(applyOf(live({ type: 'NodePort' }, { uid: 'u10000' })))
    expect(sent).toHaveLength(10_001)
    await begin()(applyOf(live({ type: 'NodePort' }, { uid: 'u0' })))
    expect(sent).toHaveLength(10_002)
  })
})

describe('an answer of the API server', () => {
  const status = { status: 'Failure', reason: '', message: 'no' } as const
  const inTerminating = {
    details: { causes: [{ reason: 'NamespaceTerminating', message: '', field: 'metadata.namespace' }] },
  }
  it.each([
    {
      name: 'WK-11 403 in a terminating namespace',
      error: new Refused({ ...status, ...inTerminating, code: 403 }),
      outcome: 'needless',
    },
    { name: 'WK-11 403', error: new Refused({ ...status, code: 403 }), outcome: 'refused' },
    {
      name: 'WK-13, MP-36 500 about two items of one key',
      error: new Fault('CLUSTER_UNREACHABLE', 'cannot apply', {
        cause: new Refused({ ...status, code: 500, message: 'failed to create typed patch object (a/b; v1): x' }),
      }),
      outcome: 'refused',
      message: 'failed to create typed patch object (a/b; v1): x',
    },
    {
      name: 'WK-9 500 where a webhook does not answer',
      error: new Fault('CLUSTER_UNREACHABLE', 'cannot apply', {
        cause: new Refused({ ...status, code: 500, message: 'Internal error occurred: failed calling webhook "a.b"' }),
      }),
      outcome: 'refused',
      message: 'Internal error occurred: failed calling webhook "a.b"',
    },
    {
      name: 'WK-10 500 about an object that is too large for the store',
      error: new Fault('CLUSTER_UNREACHABLE', 'cannot apply', {
        cause: new Refused({ ...status, code: 500, message: 'etcdserver: request is too large' }),
      }),
      outcome: 'refused',
      message: 'etcdserver: request is too large',
    },
    {
      name: 'WK-10 503, which is about all objects,',
      error: new Fault('CLUSTER_UNREACHABLE', 'cannot apply', { cause: new Refused({ ...status, code: 503 }) }),
      outcome: 'failed',
      message: 'cannot apply',
    },
  ])('$name is $outcome', async ({ error, outcome, message = 'no' }) => {
    const { begin } = writing([error])
    expect(await begin()(applyOf())).toMatchObject({ outcome, message })
  })
})
