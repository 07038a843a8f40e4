import { describe, expect, it } from 'vitest'
import { amongOf } from '../../../src/admission/identities.ts'

const controllers = ['system:serviceaccount:tars-system:tars-controller', 'system:serviceaccount:kube-system:ours']

describe('who belongs to CTRL and KUBE (tars.md 1.5)', () => {
  it.each([
    { username: 'system:serviceaccount:tars-system:tars-controller', among: ['CTRL'] },
    { username: 'system:serviceaccount:kube-system:ours', among: ['CTRL'] },
    { username: 'system:serviceaccount:kube-system:namespace-controller', among: ['KUBE'] },
    { username: 'system:serviceaccount:kube-system:generic-garbage-collector', among: ['KUBE'] },
    { username: 'system:kube-controller-manager', among: ['KUBE'] },
    { username: 'system:apiserver', among: ['KUBE'] },
    { username: 'system:apiserver2', among: [] },
    { username: 'system:kube-scheduler', among: [] },
    { username: 'system:serviceaccount:kube-system-2:x', among: [] },
    { username: 'system:serviceaccount:tars-system:tars-controller2', among: [] },
    { username: 'x:system:serviceaccount:kube-system:x', among: [] },
    { username: 'ann', among: [] },
    { username: '', among: [] },
  ])('$username', ({ username, among }) => {
    expect(amongOf(username, { controllers })).toEqual(among)
  })

  it('nobody is CTRL where nobody is named', () => {
    expect(amongOf(controllers[0] ?? '', { controllers: [] })).toEqual([])
  })
})
