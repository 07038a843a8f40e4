import { describe, expect, it } from 'vitest'
import { amongOf } from '../../../src/admission/identities.ts'

const controllers = ['system:serviceaccount:tars-system:tars-controller', 'system:serviceaccount:kube-system:ours']

describe('who belongs to CTRL and KUBE (tars.md 1.5)', () => {
  it.each([
    { username: 'system:serviceaccount:tars-system:tars-controller', among: ['CTRL'], deleting: ['CTRL'] },
    { username: 'system:serviceaccount:kube-system:ours', among: ['CTRL'], deleting: ['CTRL'] },
    { username: 'system:serviceaccount:kube-system:namespace-controller', among: ['KUBE'], deleting: ['KUBE'] },
    { username: 'system:serviceaccount:kube-system:namespace-controller2', among: ['KUBE'], deleting: ['DEPUTY'] },
    { username: 'system:serviceaccount:kube-system:generic-garbage-collector', among: ['KUBE'], deleting: ['DEPUTY'] },
    { username: 'system:kube-controller-manager', among: ['KUBE'], deleting: ['DEPUTY'] },
    { username: 'system:apiserver', among: ['KUBE'], deleting: ['DEPUTY'] },
    { username: 'system:apiserver2', among: [], deleting: [] },
    { username: 'system:kube-scheduler', among: [], deleting: [] },
    { username: 'system:serviceaccount:kube-system-2:x', among: [], deleting: [] },
    { username: 'system:serviceaccount:tars-system:tars-controller2', among: [], deleting: [] },
    { username: 'x:system:serviceaccount:kube-system:x', among: [], deleting: [] },
    { username: 'ann', among: [], deleting: [] },
    { username: '', among: [], deleting: [] },
  ])('$username', ({ username, among, deleting }) => {
    expect(amongOf(username, 'CREATE', { controllers })).toEqual(among)
    expect(amongOf(username, 'UPDATE', { controllers })).toEqual(among)
    expect(amongOf(username, 'DELETE', { controllers })).toEqual(deleting)
  })

  it('nobody is CTRL where nobody is named', () => {
    expect(amongOf(controllers[0] ?? '', 'CREATE', { controllers: [] })).toEqual([])
  })
})
