import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../../../src/setting.ts'
import { EVENT } from '../../../../webhooks/kit/telling.ts'
import { podOfDaemonSet } from '../../../../webhooks/kruise/pod/kind.ts'
import { admitted, inEnv, ofContainer, type PodCase, recorded } from '../../../support/daemonset-pods.ts'
import { quickPasswords } from '../../../support/passwords.ts'

const { uid } = recorded('native').daemonSet.metadata
const AGENT = { group: 'apps', namespace: 'recorded', daemonset: 'native' }
const toldOf = async (patches: readonly object[] | string, given?: PodCase) => {
  const { verdict } = await admitted(patches, given)
  const counts = verdict.measured?.map(({ metric, labels, value }) => [metric.name.slice(18), labels, value])
  return {
    counts,
    events: verdict.notices?.map(({ type, reason, message, about }) => [type, reason, message, about.uid]),
  }
}

describe('what admission tells of a pod beside its answer', () => {
  it('each entry that was applied is counted, but in a dry run', async () => {
    const applied = (index: string) => ['applied_total', { ...AGENT, index }, 1]
    expect(await toldOf([inEnv('a'), inEnv('b')])).toEqual({ counts: [applied('0'), applied('1')] })
    expect(await toldOf([inEnv('a')], { dryRun: true })).toEqual({})
  })

  it('what could not be applied is counted by its reason, and an event of the DaemonSet names the Node', async () => {
    const error = (reason: string, of: object = AGENT) => ['errors_total', { ...of, stage: 'admit', reason }, 1]
    const message = expect.stringMatching(/^node large-1: patch 1: /)
    const broken = [inEnv('a'), ofContainer('agent', { env: [{ value: 'x' }] })]
    const told = { counts: [error('merge')], events: [['Warning', 'NodePatchFailed', message, uid]] }
    expect(await toldOf(broken)).toEqual(told)
    expect(await toldOf(broken, { annotations: { 'daemonset.kruise.io/patches-failure-policy': 'Open' } })).toEqual(
      told,
    )
    expect(await toldOf(broken, { away: ['DaemonSet'] })).toEqual({ counts: [error('owner_lookup')] })
    const invalid = expect.stringMatching(/PATCH-V-02/)
    expect(await toldOf('{}')).toEqual({
      counts: [error('parse')],
      events: [['Warning', 'NodePatchesInvalid', invalid, uid]],
    })
    const bad = { selector: { matchLabels: { disk: 7 } }, patch: {} }
    expect((await toldOf([bad, inEnv('a')])).counts).toEqual([
      error('bad_selector'),
      ['applied_total', { ...AGENT, index: '1' }, 1],
    ])
    expect((await toldOf([bad])).counts).toEqual([error('bad_selector')])
  })

  it('how long it took to select and to merge is measured where there is a clock', async () => {
    let now = 0
    const remotes = { passwords: quickPasswords, tick: () => (now += 2) }
    const { counts = [] } = await toldOf([inEnv('a')], { parts: { remotes } })
    expect(counts.slice(0, 2)).toEqual([
      ['duration_seconds', { stage: 'match' }, 0.002],
      ['duration_seconds', { stage: 'merge' }, 0.002],
    ])
  })

  it('events are a right of the webhook', () => {
    expect(podOfDaemonSet(settingsOf({})).writes).toEqual([{ resource: EVENT, verbs: ['create'] }])
  })
})
