import { describe, expect, it } from 'vitest'
import { crds } from '../../../../src/print/crds.ts'
import { tendpoint } from '../../../../webhooks/tars/tendpoint/kind.ts'
import { TENDPOINT } from '../../../../webhooks/tars/tendpoint/schema.ts'
import { at } from '../../../support/builders/trees.ts'

describe('a TEndpoint is the controller’s', () => {
  it('and passes no door of ours', () => {
    expect(tendpoint.doors).toEqual([])
  })

  it('which writes its status apart from the rest', () => {
    expect(at(crds({ kinds: [tendpoint] })[0], 'spec.versions.0.subresources')).toEqual({ status: {} })
  })

  const head = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TEndpoint', metadata: { name: 'demo-echo' } }
  const servants = [{ name: 'EchoObj', port: 1, thread: 3, capacity: 1, connection: 1, timeout: -1, isTars: true }]
  const pod = {
    name: 'demo-echo-0',
    settingState: 'Active',
    presentState: 'Active',
    pid: '123',
    containerStatuses: [{ name: 'demo-echo', restartCount: 0, state: { running: { startedAt: 'x' } } }],
  }
  it.each([
    { name: 'nothing', parts: {}, fits: true },
    {
      name: 'a server',
      parts: { spec: { app: 'demo', server: 'echo', important: 3, tars: { servants } } },
      fits: true,
    },
    { name: 'a name of any form, for it was checked before', parts: { spec: { app: '1 x' } }, fits: true },
    { name: 'pods', parts: { status: { pods: [pod] } }, fits: true },
    { name: 'a status without pods', parts: { status: {} }, fits: false },
    { name: 'a port that is a text', parts: { spec: { hostPorts: [{ port: '1' }] } }, fits: false },
  ])('with $name: $fits', ({ parts, fits }) => {
    expect(TENDPOINT.is({ ...head, ...parts })).toBe(fits)
  })
})
