import { describe, expect, it } from 'vitest'
import type { ClusterWriter } from '../../../src/cluster/port.ts'
import type { Action, Expected } from '../../../src/reconcile/action.ts'
import { performed } from '../../../src/reconcile/apply.ts'
import type { Tree } from '../../../src/schema.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { clusterOf } from '../../support/clusters.ts'
import { fault } from './writes.ts'

const writing = ({ apply, create, merge, patch, remove }: ClusterWriter) => ({ apply, create, merge, patch, remove })

describe('an action is carried out as one write, and its end is an outcome', () => {
  const AT = { namespace: 'demo', name: 'g' }
  const on = { of: GADGET, because: 'XX-R1' }
  const created: Action = { ...on, do: 'create', object: aGadget() }
  const because = (patch: Tree, expects: Expected): Action => ({ ...on, do: 'merge', ref: AT, patch, expects })

  it.each<{ name: string; action: (now: Expected) => Action; outcome: string; count: number | undefined }>([
    { name: 'a merge', action: (now) => because({ spec: { count: 5 } }, now), outcome: 'done', count: 5 },
    {
      name: 'a merge that expects an older version',
      action: ({ uid }) => because({ spec: { count: 5 } }, { uid, resourceVersion: '1' }),
      outcome: 'overtaken',
      count: 4,
    },
    {
      name: 'a merge that expects another object',
      action: () => because({ spec: { count: 5 } }, { uid: 'another' }),
      outcome: 'gone',
      count: 4,
    },
    {
      name: 'a merge that the schema refuses',
      action: (now) => because({ spec: { count: 'many' } }, now),
      outcome: 'refused',
      count: 4,
    },
    { name: 'a creation of what is there', action: () => created, outcome: 'overtaken', count: 4 },
    {
      name: 'a removal',
      action: (expects) => ({ ...on, do: 'remove', ref: AT, expects }),
      outcome: 'done',
      count: undefined,
    },
    {
      name: 'a removal of an older version',
      action: ({ uid }) => ({ ...on, do: 'remove', ref: AT, expects: { uid, resourceVersion: '1' } }),
      outcome: 'overtaken',
      count: 4,
    },
  ])('$name: $outcome', async ({ action, outcome, count }) => {
    const cluster = clusterOf()
    expect(await performed(created, cluster)).toMatchObject({ outcome: 'done', answer: { spec: { count: 3 } } })
    const { metadata } = await cluster.merge(GADGET, AT, { spec: { count: 4 } })
    const { uid = '', resourceVersion = '' } = metadata
    expect(await performed(action({ uid, resourceVersion }), cluster)).toMatchObject({ outcome })
    expect((await cluster.get(GADGET, AT))?.spec?.count).toBe(count)
  })

  it('the status by itself', async () => {
    const cluster = clusterOf(aGadget())
    const { uid = '', resourceVersion = '' } = (await cluster.get(GADGET, AT))?.metadata ?? {}
    const expects = { uid, resourceVersion }
    const patch = { spec: { count: 5 }, status: { phase: 'New' } }
    const action: Action = { ...on, do: 'merge', ref: AT, patch, expects, subresource: 'status' }
    expect(await performed(action, cluster)).toMatchObject({ outcome: 'done', answer: { status: { phase: 'New' } } })
    expect((await cluster.get(GADGET, AT))?.spec?.count).not.toBe(5)
  })

  it('a removal that leaves the dependents', async () => {
    const sent: unknown[] = []
    const cluster = clusterOf()
    const remove = async (...call: unknown[]) => void sent.push(call)
    const action: Action = { ...on, do: 'remove', ref: AT, expects: { uid: 'u' } }
    await performed({ ...action, orphan: true }, { ...writing(cluster), remove })
    await performed(action, { ...writing(cluster), remove })
    const preconditions = { uid: 'u' }
    expect(sent).toEqual([
      [GADGET, AT, { preconditions, propagationPolicy: 'Orphan' }],
      [GADGET, AT, { preconditions }],
    ])
  })

  it('what may work later has failed, in the words of the fault', async () => {
    const away = fault('CLUSTER_UNREACHABLE')
    const action = because({}, { uid: 'u' })
    const failed = performed(action, { ...writing(clusterOf()), merge: () => Promise.reject(away) })
    expect(await failed).toEqual({ outcome: 'failed', message: away.message, cause: away })
  })
})
