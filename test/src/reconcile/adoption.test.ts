import { describe, expect, it } from 'vitest'
import type { Built } from '../../../src/cluster/port.ts'
import { isStored } from '../../../src/cluster/stored.ts'
import { Fault } from '../../../src/faults.ts'
import { asCluster } from '../../../src/process/memory-cluster.ts'
import type { ApplyAction } from '../../../src/reconcile/action.ts'
import { settle } from '../../../src/reconcile/settle.ts'
import { writerWith } from '../../../src/reconcile/turn-writer.ts'
import { list, type Tree, text } from '../../../src/schema.ts'
import { setting, settingsOf } from '../../../src/setting.ts'
import { SERVICE } from '../../../webhooks/tars/workloads.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { NOTE, noteController } from '../../support/builders/notes.ts'
import { clusterOf, NOW } from '../../support/clusters.ts'

const AT = { namespace: 'demo', name: 'one' }
const object: Built = { apiVersion: 'v1', kind: 'Service', metadata: AT, spec: { type: 'ClusterIP' } }
const over = (annotations: Record<string, string> = {}): Built => ({
  ...object,
  metadata: { ...AT, uid: 'u', resourceVersion: '7', annotations },
})
const entry = (manager: string, fieldsV1: Tree, more: Tree = {}) => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
})
const UPSTREAM = entry('tarscontroller', { 'f:spec': { 'f:type': {} } })
const ADOPTED = { ...UPSTREAM, manager: 'tars-controller', operation: 'Apply' }

/** What is written when the live object has these managed fields. */
async function writes(managedFields: readonly Tree[], seen: Built | null = over(), fails?: Error) {
  const sent: unknown[] = []
  const write = async (body: unknown) => {
    sent.push(body)
    if (fails !== undefined) throw fails
    const stored: unknown = { ...object, metadata: { ...AT, uid: 'u', resourceVersion: '8' } }
    if (isStored(stored)) return stored
    throw new Error('it has a name')
  }
  const seed = { ...over(), metadata: { ...over().metadata, managedFields } }
  const cluster = clusterOf(seed)
  let reads = 0
  const begin = writerWith({
    live: {
      dryRun: (...asked) => cluster.dryRun(...asked),
      get(of, ref) {
        reads += 1
        return cluster.get(of, ref)
      },
    },
    adopts: ['tarscontroller', 'tars-controller-manager'],
  })
  const action: ApplyAction = { do: 'apply', of: SERVICE, object, because: 'WK-12', ...(seen && { over: seen }) }
  const { outcome } = await begin({
    ...{ create: write, merge: write, remove: async () => {} },
    apply: (_, body) => write(body),
    patch: (_, __, operations) => write(operations),
  })(action)
  return { sent, reads, outcome }
}
const patchTo = (value: readonly Tree[]) => [
  { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
  { op: 'replace', path: '/metadata/uid', value: 'u' },
  { op: 'replace', path: '/metadata/managedFields', value },
]

describe('WK-14 an owned object that was not applied yet', () => {
  const other = entry('kubectl-edit', { 'f:spec': { 'f:clusterIP': {} } })
  const status = { ...UPSTREAM, subresource: 'status' }

  it('has the entry of its maker turned into ours by one patch, and the apply goes on from there', async () => {
    const { sent } = await writes([other, UPSTREAM, status])
    expect(sent).toEqual([patchTo([other, ADOPTED, status]), expect.objectContaining({ spec: object.spec })])
    expect(sent[1]).toMatchObject({ metadata: { resourceVersion: '8' } })
  })

  it('has the fields of two managers in one entry', async () => {
    const second = entry('tars-controller-manager', { 'f:spec': { 'f:ports': {} }, 'f:metadata': {} })
    const fieldsV1 = { 'f:spec': { 'f:type': {}, 'f:ports': {} }, 'f:metadata': {} }
    expect((await writes([UPSTREAM, other, second])).sent[0]).toEqual(patchTo([{ ...ADOPTED, fieldsV1 }, other]))
  })

  it.each([
    { name: 'has no entry of these managers', entries: [other, status] },
    { name: 'lost the annotation by hand and has an entry of ours', entries: [UPSTREAM, { ...ADOPTED }] },
    { name: 'has no entry at all', entries: [] },
  ])('is applied without a patch when it $name', async ({ entries }) => {
    const { sent, reads } = await writes(entries)
    expect([sent.length, reads]).toEqual([1, 1])
    expect(sent[0]).toMatchObject({ metadata: { resourceVersion: '7' } })
  })

  it('is not applied when the patch is overtaken', async () => {
    const { sent, outcome } = await writes([UPSTREAM], over(), new Fault('CONFLICT', 'it was modified'))
    expect([sent.length, outcome]).toEqual([1, 'overtaken'])
  })

  it.each([
    { name: 'that was applied', seen: over({ 'tars.io/Applied': 'x' }) },
    { name: 'that is not there', seen: null },
  ])('is not looked for where it is one $name', async ({ seen }) => {
    const { sent, reads } = await writes([UPSTREAM], seen)
    expect([sent.length, reads]).toEqual([1, 0])
  })
})

describe('WK-14 a worker', () => {
  const adopts = setting('makers', list(text({ doc: 'maker' }), { doc: 'makers', default: ['tarscontroller'] }))
  const note: Built = { apiVersion: 'v1', kind: 'Note', metadata: { namespace: 'demo', name: 'g' } }
  const writes = [{ resource: NOTE, verbs: ['apply'] }] as const
  const applying = noteController({
    writes,
    plan: ({ note: over }) => ({
      actions: [{ do: 'apply', of: NOTE, object: note, because: '', ...(over && { over }) }],
    }),
  })
  it.each([
    {
      name: 'takes over from the makers in the setting that its controller names',
      controller: { ...applying, adopts },
      patches: 1,
    },
    { name: 'takes over nothing for a controller that names none', controller: applying, patches: 0 },
  ])('$name', async ({ controller, patches }) => {
    const metadata = { ...note.metadata, managedFields: [UPSTREAM] }
    const made: Built = { ...note, metadata }
    const memory = clusterOf(aGadget(), made)
    const cluster = asCluster(memory, [])
    let count = 0
    const patch: typeof cluster.writer.patch = (...call) => {
      count += 1
      return cluster.writer.patch(...call)
    }
    const options = { settings: settingsOf({}), profile: 'seed', at: new Date(NOW) } as const
    await settle([controller], { ...cluster, writer: { ...cluster.writer, patch } }, options)
    expect(count).toBe(patches)
    expect((await memory.get(NOTE, AT_NOTE))?.metadata.annotations).toHaveProperty(['tars.io/Applied'])
  })
})
const AT_NOTE = { namespace: 'demo', name: 'g' }
