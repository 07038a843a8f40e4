import { describe, expect, it } from 'vitest'
import { podFrom } from '../../../../webhooks/tars/pods.ts'
import { stateOf } from '../../../../webhooks/tars/tendpoint/pod-state.ts'
import { aCondition, aPod } from '../../../support/builders/pods.ts'

const stateWith = (...conditions: readonly object[]) => stateOf(podFrom(aPod({ status: { conditions } })))
const state = (settingState: string, presentState?: string, presentMessage?: string, pid?: string) => ({
  settingState,
  presentState,
  presentMessage,
  pid,
})
const STEPS = ['PodScheduled', 'Initialized', 'ContainersReady'].map((type) => aCondition(type))
const NOT_READY = aCondition('Ready', 'False', { reason: 'ReadinessGatesNotReady', message: 'a gate is missing' })
const READY = aCondition('Ready', 'True', { message: 'all is well' })
const gate = (reason?: string) => aCondition('tars.io/active', 'False', reason === undefined ? {} : { reason })

describe('TE-R4 a pod', () => {
  it('that is terminating is no more than that', () => {
    const conditions = [READY, gate('Active/Active/123')]
    const pod = aPod({ deletionTimestamp: '2026-11-18T12:00:00Z', status: { conditions } })
    expect(stateOf(podFrom(pod))).toEqual(state('Active', 'Terminating', 'pod/demo-echo-0 is terminating'))
  })

  it.each([
    { name: 'a normal server', conditions: [READY], is: state('Active', 'Active') },
    {
      name: 'tars',
      conditions: [READY, gate('Active/Active/123')],
      is: state('Active', 'Active', 'all is well', '123'),
    },
    { name: 'tars without a pid', conditions: [READY, gate()], is: state('Active', 'Active', 'all is well') },
    {
      name: 'tars, its gate listed first',
      conditions: [gate('a/b/7'), READY],
      is: state('Active', 'Active', 'all is well', '7'),
    },
  ])('of $name that is ready is active', ({ conditions, is }) => {
    expect(stateWith(...conditions)).toEqual(is)
  })

  it.each([
    { reason: 'Active/Active/123', is: state('Active', 'Active', undefined, '123') },
    { reason: 'Active/Activating', is: state('Active', 'Activating') },
    { reason: 'Inactive', is: state('Inactive') },
    { reason: 'a/b/c/d', is: state('Unknown', 'Unknown') },
    { reason: '/'.repeat(1_000_000), is: state('Unknown', 'Unknown') },
    { reason: '', is: state('Active') },
    { reason: undefined, is: state('Active') },
  ])('that is not ready is what the registry says: $is', ({ reason, is }) => {
    expect(stateWith(NOT_READY, ...STEPS, gate(reason))).toEqual(is)
  })

  it.each([
    { name: 'nothing is known of', conditions: [], is: state('Active') },
    { name: 'is scheduled', conditions: [aCondition('PodScheduled')], is: state('Active', 'PodScheduled') },
    { name: 'went through all steps', conditions: [NOT_READY, ...STEPS], is: state('Active', 'ContainersReady') },
    {
      name: 'fulfils a condition of others',
      conditions: [aCondition('example.com/warm'), ...STEPS],
      is: state('Active', 'example.com/warm'),
    },
    {
      name: 'waits at a step, which counts before later ones whatever the order of the list',
      conditions: [
        aCondition('example.com/warm', 'False', { reason: 'Cold' }),
        aCondition('ContainersReady', 'False', { reason: 'ContainersNotReady', message: 'with unready status' }),
        aCondition('PodScheduled', 'Unknown', { reason: 'Unschedulable', message: 'no node' }),
        gate('Active/Active/1'),
      ],
      is: state('Active', 'Unschedulable', 'no node'),
    },
    {
      name: 'waits for conditions of others, the first of the list',
      conditions: [
        aCondition('example.com/b', 'False', { reason: 'Cold', message: 'b is cold' }),
        aCondition('example.com/a', 'False', { reason: 'Warm' }),
        ...STEPS,
        gate('Active/Active/1'),
      ],
      is: state('Active', 'Cold', 'b is cold'),
    },
    {
      name: 'waits without a reason',
      conditions: [aCondition('PodScheduled'), aCondition('Initialized', 'False')],
      is: state('Active'),
    },
    { name: 'has a condition without a type', conditions: [{ status: 'True' }], is: state('Active') },
  ])('that $name', ({ conditions, is }) => {
    expect(stateWith(...conditions)).toEqual(is)
  })
})
