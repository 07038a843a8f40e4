import { expect, it } from 'vitest'
import type { ClusterReader } from '../../../../src/cluster/port.ts'
import { confirmed } from '../../../../webhooks/tars/tconfig/confirmed.ts'
import { aTConfig } from '../../../support/builders/configs.ts'
import { clusterOf, NOW } from '../../../support/clusters.ts'
import { readerOf } from '../../../support/fakes/readers.ts'
import { turnsOf } from '../../../support/turns.ts'

const content = 'a'.repeat(1_000_000)
const versions = (content: string) =>
  Array.from({ length: 1_000 }, (_, i) => aTConfig({ name: `v${i}`, activated: false, content }))
const many = versions(content)

it('TC-R4 of 1,000 versions of a megabyte few are read at once, and no content is kept', async () => {
  const reader = readerOf(...many)
  let [underWay, most] = [0, 0]
  const counting: ClusterReader = {
    ...reader,
    async get(of, ref) {
      most = Math.max(most, ++underWay)
      return reader.get(of, ref).finally(() => --underWay)
    },
  }
  const members = await confirmed(
    many.map(({ metadata }) => ({ metadata })),
    ({ metadata }) => metadata.name !== 'v7',
    counting,
  )
  expect(most).toBe(8)
  expect(members).toHaveLength(999)
  expect(members.filter(({ configContent }) => configContent !== undefined)).toEqual([])
})

it('TC-R4 all but the limit of them go in one turn, and the next turn has nothing to do', async () => {
  const cluster = clusterOf(...versions('a=1'))
  const turn = turnsOf('tconfig', cluster)
  const key = { namespace: 'demo', name: 'echo.conf', group: ['Demo', 'Echo', 'm'] }
  const first = await turn(key, new Date(NOW))
  expect(first?.results.filter(({ outcome }) => outcome === 'done')).toHaveLength(990)
  expect(await turn(key, new Date(NOW))).toBeUndefined()
})
