import { describe, expect, it } from 'vitest'
import { statusUpdate } from '../../../../../webhooks/tars/tserver/reconcile/status.ts'
import { DAEMONSET } from '../../../../../webhooks/tars/workloads.ts'
import { aRelease } from '../../../../support/builders/servers.ts'
import { seen, standing, TERMINATING } from '../../../../support/servers-seen.ts'

const READY = [{ type: 'Ready', status: 'True' }]
const pod = (status: object, metadata: object = {}) => ({ metadata: { name: 'p', ...metadata }, status })
const STATUS = {
  selector: 'tars.io/ServerApp=Demo,tars.io/ServerName=Echo',
  replicas: 0,
  currentReplicas: 0,
  readyReplicas: 0,
}
const statusIn = (what: Parameters<typeof statusUpdate>[0]) =>
  statusUpdate(what).flatMap((action) => ('patch' in action ? [action.patch] : []))

describe('TS-R8 the status of a server', () => {
  it('is merged for the version that was read, with all four fields', () => {
    expect(statusUpdate(seen())).toEqual([
      {
        do: 'merge',
        of: expect.objectContaining({ kind: 'TServer' }),
        subresource: 'status',
        ref: { namespace: 'demo', name: 'demo-echo' },
        expects: { uid: 'server', resourceVersion: '7' },
        patch: { status: STATUS },
        because: 'TS-R8',
      },
    ])
  })
  it.each([
    { name: 'as it is', stored: STATUS, writes: 0 },
    { name: 'with another count', stored: { ...STATUS, readyReplicas: 1 }, writes: 1 },
    { name: 'with another selector', stored: { ...STATUS, selector: '' }, writes: 1 },
  ])('is written only where it differs: $name', ({ stored, writes }) => {
    const { server, ...rest } = seen()
    expect(statusUpdate({ ...rest, server: { ...server, status: stored } })).toHaveLength(writes)
  })
  it.each([
    { name: 'running', pods: [pod({ phase: 'Running' })], current: 1, ready: 0 },
    { name: 'without a status yet', pods: [{ metadata: { name: 'p' } }], current: 1, ready: 0 },
    { name: 'ready', pods: [pod({ phase: 'Running', conditions: READY })], current: 1, ready: 1 },
    { name: 'not ready', pods: [pod({ conditions: [{ type: 'Ready', status: 'False' }] })], current: 1, ready: 0 },
    { name: 'ready and terminating', pods: [pod({ conditions: READY }, TERMINATING)], current: 1, ready: 0 },
    {
      name: 'finished',
      pods: [pod({ phase: 'Succeeded' }), pod({ phase: 'Failed', conditions: READY })],
      current: 0,
      ready: 0,
    },
  ])('counts a pod that is $name', ({ pods, current, ready }) => {
    expect(statusIn(seen({}, { pods }))).toMatchObject([{ status: { currentReplicas: current, readyReplicas: ready } }])
  })
  it('has the replicas that were asked for', () => {
    expect(statusIn(seen({ release: aRelease(), k8s: { replicas: 3 } }))).toMatchObject([{ status: { replicas: 3 } }])
    expect(statusIn(seen({ k8s: { replicas: undefined } }))).toMatchObject([{ status: { replicas: 1 } }])
  })
  it('has the nodes that a DaemonSet is meant for', () => {
    const wishes = { k8s: { daemonSet: true, replicas: 3 } }
    expect(statusIn(seen(wishes))).toMatchObject([{ status: { replicas: 0 } }])
    const { of, object } = standing(DAEMONSET, { wishes })
    const there = [{ of, object: { ...object, status: { desiredNumberScheduled: 5 } } }]
    expect(statusIn(seen(wishes, { there }))).toMatchObject([{ status: { replicas: 5 } }])
  })
})
