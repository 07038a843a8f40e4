import { expect, it } from 'vitest'
import { configFrom } from '../../../src/commands/settings.ts'
import { ourselvesIn } from '../../../src/process/identities.ts'
import { admittedCluster } from '../../../src/process/in-process-webhook.ts'
import { asCluster } from '../../../src/process/memory-cluster.ts'
import { SERVING } from '../../../src/process/reviews.ts'
import { TCONFIG } from '../../../webhooks/tars/tconfig/schema.ts'
import { aDraftOfTConfig, DEACTIVATING } from '../../support/builders/configs.ts'
import { kinds } from '../../support/kinds.ts'
import { quickPasswords } from '../../support/passwords.ts'

const config = configFrom({ args: [], env: {}, names: SERVING, readFile: () => ({}) })
const remotes = { passwords: quickPasswords }

const v1 = { namespace: 'demo', name: 'v1' }

it('a cluster that asks our own code has marks set in the name of the webhook of that namespace (TC-M10)', async () => {
  const memory = admittedCluster({ config, kinds, remotes, namespace: 'tea', enforce: 'refuse' })
  for (const name of ['v1', 'v2']) await memory.create(TCONFIG, aDraftOfTConfig({ name }))
  expect((await memory.get(TCONFIG, v1))?.metadata).toMatchObject({
    labels: DEACTIVATING,
    annotations: { 'tars.io/MarkedAt': expect.any(String) },
  })
})

it.each([
  { name: 'the webhook keeps the time of its mark', user: ourselvesIn('tars-system'), kept: '2026-01-01T00:00:00Z' },
  { name: 'another user loses it', user: 'ann', kept: undefined },
])('as a process holds it, $name (TC-M10)', async ({ user, kept }) => {
  const memory = admittedCluster({ config, kinds, remotes, enforce: 'refuse' })
  await memory.create(TCONFIG, aDraftOfTConfig())
  const mark = { metadata: { labels: DEACTIVATING, annotations: { 'tars.io/MarkedAt': '2026-01-01T00:00:00Z' } } }
  const { metadata } = await asCluster(memory, [], user).writer.merge(TCONFIG, v1, mark)
  expect(metadata.annotations?.['tars.io/MarkedAt']).toBe(kept)
})
