import { describe, expect, it } from 'vitest'
import { configDigest } from '../../../../../webhooks/nacos/config/digest.ts'
import { CONFIG_MAP } from '../../../../../webhooks/nacos/kubernetes.ts'
import { confirmed } from '../../../../../webhooks/nacos/nacos/reconcile/confirm.ts'
import { clusterOf } from '../../../../support/clusters.ts'
import { DIGEST, runningWorld, sourceOf } from '../../../../support/nacos-world.ts'

it.each([
  { name: 'what was written', text: 'a=1', outcome: 'needless' },
  { name: 'what another wrote', text: 'a=2', outcome: 'refused' },
])('NC-DIG-02 $name is $outcome', async ({ text, outcome }) => {
  const live = clusterOf(sourceOf('user', text))
  const ref = { namespace: 'demo', name: 'user' }
  const step = {
    do: 'confirm',
    ref,
    key: 'user.properties',
    digest: configDigest('a=1'),
    follows: true,
    because: '',
  } as const
  expect(await confirmed(step, { live })).toMatchObject({ outcome })
})

describe('NC-DIG-02 a final ConfigMap that another one changes at once', () => {
  it('is told and held, and rolled out when it is left alone', async () => {
    const world = await runningWorld()
    const final = 'n-final-config'
    let isDisturbed = true
    world.onApply(CONFIG_MAP, async (applying) => {
      const applied = await applying()
      if (isDisturbed) await world.patch(CONFIG_MAP, final, { data: { 'application.properties': 'edited=1' } })
      return applied
    })
    await world.patch(CONFIG_MAP, 'user', { data: { 'user.properties': 'b=3' } })
    const words = `ConfigMap "${final}" was changed by another writer at once`
    const first = await world.turn()
    expect(first.writes).toEqual(['apply ConfigMap', 'merge Nacos'])
    expect([first.reasons.ConfigReady, first.messages.ConfigReady]).toEqual(['FinalConfigConflict', words])
    expect([first.notices, first.status.configDigest]).toEqual([
      [`FinalConfigConflict: FinalConfigConflict: ${words}`],
      DIGEST,
    ])
    isDisturbed = false
    const later = await world.turn()
    expect(later.writes).toEqual(['apply ConfigMap', 'apply StatefulSet', 'merge Nacos'])
    expect(later.reasons).toMatchObject({ ConfigReady: 'Merged' })
  })
})
