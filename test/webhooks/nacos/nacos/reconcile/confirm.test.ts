import { expect, it } from 'vitest'
import { configDigest } from '../../../../../webhooks/nacos/config/digest.ts'
import { confirmed } from '../../../../../webhooks/nacos/nacos/reconcile/confirm.ts'
import { clusterOf } from '../../../../support/clusters.ts'
import { sourceOf } from '../../../../support/nacos-world.ts'

it.each([
  { name: 'what was written', text: 'a=1', outcome: 'needless' },
  { name: 'what another wrote', text: 'a=2', outcome: 'overtaken' },
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
