import { describe, expect, it } from 'vitest'
import { POD } from '../../../../../webhooks/tars/pods.ts'
import type { ServerSeen } from '../../../../../webhooks/tars/tserver/reconcile/seen.ts'
import { SERVICE, STATEFULSET } from '../../../../../webhooks/tars/workloads.ts'
import { aMount } from '../../../../support/builders/servers.ts'
import { planned, seen, standing, TERMINATING, writesOf } from '../../../../support/servers-seen.ts'

interface PodWishes {
  readonly claims?: readonly string[]
  readonly ready?: boolean
  readonly going?: boolean
  readonly owner?: string
}
const pod = (
  ordinal: number,
  { claims = [], ready = true, going = false, owner = 'uid of StatefulSet' }: PodWishes = {},
) => ({
  metadata: {
    namespace: 'demo',
    name: `demo-echo-${ordinal}`,
    uid: `uid ${ordinal}`,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'demo-echo', uid: owner, controller: true }],
    ...(going && TERMINATING),
  },
  spec: {
    volumes: [{ name: 'data' }, ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))],
  },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
})
const HAS = { claims: ['data'] }

function plannedWith(
  pods: ServerSeen['pods'],
  { mounts = [aMount({ of: 'tLocalVolume' })], type = 'RollingUpdate' } = {},
) {
  const wishes = { k8s: { mounts, updateStrategy: { type, rollingUpdate: { partition: 9 } } } }
  const there = [standing(SERVICE), standing(STATEFULSET, { wishes })]
  const plan = planned(seen(wishes, { there, pods }))
  return { removals: writesOf(plan).filter(({ of }) => of === POD), notices: plan.notices }
}
const removal = (ordinal: number) => ({
  do: 'remove',
  of: POD,
  ref: { namespace: 'demo', name: `demo-echo-${ordinal}` },
  expects: { uid: `uid ${ordinal}` },
  because: 'MP-37: the pod lacks a claim',
})

describe('MP-37 pods that lack the volume of a claim template', () => {
  it.each([
    { name: 'the lowest of all', pods: [pod(10), pod(1), pod(0)], goes: 0 },
    { name: 'the lowest behind those that are ready with it', pods: [pod(0, HAS), pod(1), pod(2)], goes: 1 },
    { name: 'one that is not ready itself', pods: [pod(0, { ready: false })], goes: 0 },
    {
      name: 'the lowest, though a higher one is missing, which nothing replaces until then',
      pods: [pod(0), pod(1)],
      goes: 0,
    },
  ])('are deleted one at a time: $name', ({ pods, goes }) => {
    expect(plannedWith(pods)).toEqual({ removals: [removal(goes)], notices: [] })
  })
  it.each([
    { name: 'a pod is going', pods: [pod(0, { going: true }), pod(1)] },
    { name: 'a pod that was made again is not ready', pods: [pod(0, { ...HAS, ready: false }), pod(1)] },
    { name: 'a pod below is not made again yet', pods: [pod(1)] },
    { name: 'a pod is not adopted by this StatefulSet yet', pods: [pod(0, { owner: 'a former one' })] },
    { name: 'all have it', pods: [pod(0, HAS), pod(1, HAS)] },
    { name: 'nothing is known of the pod', pods: [{ ...pod(0), spec: undefined }] },
  ])('wait while $name', ({ pods }) => {
    expect(plannedWith(pods)).toEqual({ removals: [], notices: [] })
  })
  it('are none where the server has no claim', () => expect(plannedWith([pod(0)], { mounts: [] }).removals).toEqual([]))

  it('stay with OnDelete, and an event names them', () => {
    const message =
      'demo-echo-0, demo-echo-2: without a claim of the StatefulSet, which stands still until they are deleted (MP-37)'
    expect(plannedWith([pod(2), pod(1, HAS), pod(0)], { type: 'OnDelete' })).toEqual({
      removals: [],
      notices: [{ type: 'Warning', reason: 'PodsLackClaim', message }],
    })
  })
})
