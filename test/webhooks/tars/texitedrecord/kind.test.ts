import { describe, expect, it } from 'vitest'
import { texitedrecord } from '../../../../webhooks/tars/texitedrecord/kind.ts'
import { TEXITEDRECORD } from '../../../../webhooks/tars/texitedrecord/schema.ts'

describe('a TExitedRecord is the controller’s', () => {
  it('and passes no door of ours', () => {
    expect(texitedrecord.doors).toEqual([])
  })

  const head = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TExitedRecord', metadata: { name: 'demo-echo' } }
  const whole = { ...head, app: 'demo', server: 'echo' }
  const pod = { uid: 'u', name: 'demo-echo-0', id: 'v1', nodeIP: '10.0.0.1', podIP: '10.0.2.1', createTime: 'x' }
  it.each([
    { name: 'no pod yet', object: { ...whole, pods: [] }, fits: true },
    { name: '150 pods', object: { ...whole, pods: Array(150).fill(pod) }, fits: true },
    { name: '151 pods', object: { ...whole, pods: Array(151).fill(pod) }, fits: false },
    { name: 'no list of pods', object: whole, fits: false },
    { name: 'no app', object: { ...head, server: 'echo', pods: [] }, fits: false },
    { name: 'no server', object: { ...head, app: 'demo', pods: [] }, fits: false },
  ])('with $name: $fits', ({ object, fits }) => {
    expect(TEXITEDRECORD.is(object)).toBe(fits)
  })
})
