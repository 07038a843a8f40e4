import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../../src/setting.ts'
import { isGateOn } from '../../../webhooks/kruise/gate.ts'
import { ran } from '../../support/world.ts'

const GATE = 'AdvancedDaemonSetNodeLabelPatches'
const shown = (words: string) => ran(words.split(' '))

describe('the gate of node patches (PATCH-GATE-1)', () => {
  it.each([
    { given: [], on: true },
    { given: [`${GATE}=true`], on: true },
    { given: [`${GATE}=false`], on: false },
    { given: [`${GATE}=false`, `${GATE}=true`], on: true },
  ])('with $given is on: $on', ({ given, on }) => {
    expect(isGateOn(settingsOf({ featureGates: given }))).toBe(on)
  })
  it.each(['webhook', 'worker', 'manifests', 'config print'])('%s refuses a gate that it does not know', async (of) => {
    const { code, err } = await shown(`${of} --feature-gates NodePatches=true`)
    expect({ code, err }).toEqual({
      code: 2,
      err: `tars-admission: --feature-gates takes one of ${GATE}=true, ${GATE}=false, not "NodePatches=true"\n`,
    })
  })
  it('reaches webhook and worker through the printed flags', async () => {
    const { out } = await shown(`manifests --set workloads --feature-gates ${GATE}=false`)
    expect(out.match(new RegExp(`--feature-gates=${GATE}=false`, 'g'))).toHaveLength(2)
    expect((await shown(`config print --feature-gates=${GATE}=false`)).out).toContain(
      `feature-gates:\n  - ${GATE}=false\n`,
    )
  })
})

it('the settings of node patches have the defaults of the specification', async () => {
  const { out } = await shown('config print')
  for (const line of [
    'feature-gates: []',
    'pod-failure-policy: Closed',
    'deep-validation: true',
    'rollout-mode: Mark',
    'relabel-stabilization-seconds: 30',
    'mark-qps: 20',
    'mark-burst: 100',
    'enable-daemonset-controller: false',
    'pods-webhook-failure-policy: Ignore',
    'excluded-namespaces: []',
  ])
    expect(out).toContain(`\n${line}\n`)
})
