import { describe, expect, it } from 'vitest'
import { changesBetween, resultOf } from '../../../../webhooks/kruise/explain/template-changes.ts'

const TEMPLATE = {
  metadata: { labels: { app: 'agent' } },
  spec: {
    priorityClassName: 'low',
    priority: 5,
    containers: [
      { name: 'agent', image: 'agent:1', ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] },
      { name: 'side', env: [{ name: 'A', value: '1' }], args: ['-v'] },
    ],
  },
}
const changesOf = (patch: object) => changesBetween(TEMPLATE, resultOf(TEMPLATE, [{ index: 0, patch: { ...patch } }]))
const side = (more: object) => ({ spec: { containers: [{ name: 'side', ...more }] } })

describe('PATCH-DBG-1 the merged template beside the template', () => {
  it.each([
    {
      name: 'a field that is set',
      patch: side({ image: 's:1' }),
      changes: [{ path: 'spec.containers[side].image', after: '"s:1"' }],
    },
    {
      name: 'one that changes, under its merge key',
      patch: side({ env: [{ name: 'A', value: '2' }] }),
      changes: [{ path: 'spec.containers[side].env[A].value', before: '"1"', after: '"2"' }],
    },
    {
      name: 'one that is taken away',
      patch: side({ env: [{ name: 'A', $patch: 'delete' }] }),
      changes: [{ path: 'spec.containers[side].env[A].value', before: '"1"' }],
    },
    {
      name: 'an atomic list is one value',
      patch: side({ args: ['-q'] }),
      changes: [{ path: 'spec.containers[side].args', before: '["-v"]', after: '["-q"]' }],
    },
    {
      name: 'keys of a map stand in brackets, odd ones in quotes',
      patch: { metadata: { labels: { 'a.b/c': 'd', 'x]\u001b[2J': 'y' } } },
      changes: [
        { path: 'metadata.labels["x]\\u001b[2J"]', after: '"y"' },
        { path: 'metadata.labels[a.b/c]', after: '"d"' },
      ],
    },
    {
      name: 'what follows from a change is shown too (PATCH-POD-INV-6)',
      patch: { spec: { priorityClassName: 'high' } },
      changes: [
        { path: 'spec.priority', before: '5' },
        { path: 'spec.priorityClassName', before: '"low"', after: '"high"' },
      ],
    },
    {
      name: 'an empty value that is not filled',
      patch: { spec: { volumes: [{ name: 'tmp', emptyDir: {} }] } },
      changes: [{ path: 'spec.volumes[tmp].emptyDir', after: '{}' }],
    },
    {
      name: 'containers that change places',
      patch: { spec: { '$setElementOrder/containers': [{ name: 'side' }, { name: 'agent' }], containers: [] } },
      changes: [{ path: 'spec.containers (order)', before: '["agent","side"]', after: '["side","agent"]' }],
    },
    { name: 'nothing, where a patch says what stands there', patch: side({ args: ['-v'] }), changes: [] },
  ])('$name', ({ patch, changes }) => {
    expect(changesOf(patch)).toEqual(changes)
  })

  it('elements of the same key are told apart (SMP-TRAP-2)', () => {
    const ports = [{ containerPort: 53, protocol: 'SCTP' }]
    expect(changesOf({ spec: { containers: [{ name: 'agent', ports }] } })).toEqual([
      { path: 'spec.containers[agent].ports[53].protocol', after: '"SCTP"' },
    ])
  })
})
