import { describe, expect, it } from 'vitest'
import { type Built, type ClusterReader, Refused, type Stored } from '../../../src/cluster/port.ts'
import { isStored } from '../../../src/cluster/stored.ts'
import { Fault } from '../../../src/faults.ts'
import type { ApplyAction } from '../../../src/reconcile/action.ts'
import type { ActionWriter } from '../../../src/reconcile/apply.ts'
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
const live = (spec: Tree, metadata: Tree = {}): Stored =>
  storedAs({ ...desired(spec), metadata: { ...AT, uid: 'u', resourceVersion: '7', ...metadata } })
function storedAs(object: unknown): Stored {
  if (isStored(object)) return object
  throw new Error('it has a name')
}

describe('NC-STS-43 an apply that is compared by a dry run', () => {
  /** The dry run answers what stands there, but for these fields. */
  function rehearsing(...answers: readonly (Tree | Error)[]) {
    const asked: unknown[] = []
    const dryRun: ClusterReader['dryRun'] = async (_, { metadata }, by, manager) => {
      asked.push([by, manager, metadata.resourceVersion])
      const answer = answers[asked.length - 1] ?? {}
      if (answer instanceof Error) throw answer
      const standing = live({ type: 'ClusterIP' }, { managedFields: [{}], resourceVersion: undefined })
      return storedAs({ ...standing, ...answer })
    }
    const sent: unknown[] = []
    const apply: ActionWriter['apply'] = async (_, body, options) => {
      sent.push({ body, ...options })
      return live({}, { resourceVersion: '8' })
    }
    const beginWith = writerWith({ live: { ...readerOf(), dryRun }, adopts: [] })
    const { create, merge, patch, remove } = clusterOf()
    return { asked, sent, begin: () => beginWith({ create, merge, patch, remove, apply }) }
  }
  const over = live({ type: 'ClusterIP' })
  const { apiVersion: _, kind: __, ...listed } = over
  const action = (found?: Stored): ApplyAction => ({
    ...{ do: 'apply', of: SERVICE, object: desired(), because: '', compares: 'dry run', manager: 'one' },
    ...(found && { over: found }),
  })

  it.each([
    { name: 'it would store the same', seen: over },
    { name: 'it would store the same as an item of a list', seen: storedAs(listed) },
  ])('is needless where $name, and is not asked again before either changes', async ({ seen }) => {
    const { asked, sent, begin } = rehearsing()
    for (let turn = 0; turn < 3; turn += 1) expect(await begin()(action(seen))).toEqual({ outcome: 'needless' })
    expect(asked).toEqual([['apply', 'one', '7']])
    await begin()(action(live({ type: 'ClusterIP' }, { resourceVersion: '8' })))
    await begin()({ ...action(seen), object: desired({ type: 'NodePort' }) })
    expect([asked.length, sent.length]).toEqual([3, 0])
  })

  it.each([{ spec: {} }, { status: {} }, { metadata: { ...AT, uid: 'u', labels: {} } }])(
    'is sent without a digest where it would store %j',
    async (answer) => {
      const { sent, begin } = rehearsing(answer)
      expect(await begin()(action(over))).toMatchObject({ outcome: 'done' })
      const body = { ...desired(), metadata: { ...AT, resourceVersion: '7' } }
      expect(sent).toEqual([{ manager: 'one', body }])
    },
  )

  it('is sent at once where nothing stands', async () => {
    const { asked, sent, begin } = rehearsing()
    await begin()(action())
    expect([asked, sent.length]).toEqual([[], 1])
  })

  it.each([
    { error: new Refused({ status: 'Failure', code: 422, reason: 'Invalid', message: 'no' }), outcome: 'refused' },
    { error: new Fault('CONFLICT', 'it was modified'), outcome: 'overtaken' },
    { error: new Fault('CLUSTER_UNREACHABLE', 'away'), outcome: 'failed' },
  ])('is not sent where it would be $outcome, and is asked again', async ({ error, outcome }) => {
    const { asked, sent, begin } = rehearsing(error, error)
    for (let turn = 0; turn < 2; turn += 1) expect(await begin()(action(over))).toMatchObject({ outcome })
    expect([asked.length, sent]).toEqual([2, []])
  })
})
