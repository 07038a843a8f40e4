import { expect, it } from 'vitest'
import { needsOf } from '../../../../src/cluster/needs.ts'
import { NOTHING_KNOWN } from '../../../../src/fact.ts'
import { asCluster } from '../../../../src/process/memory-cluster.ts'
import type { Action } from '../../../../src/reconcile/action.ts'
import { performed } from '../../../../src/reconcile/apply.ts'
import { tconfigController } from '../../../../webhooks/tars/tconfig/reconcile.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { CTRL, SETTINGS } from '../../../support/answerer-parts.ts'
import { aTConfig, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { admittingCluster, NOW } from '../../../support/clusters.ts'

const KEY = { namespace: 'demo', name: 'echo.conf', group: ['Demo', 'Echo', 'm'] }
const given = { at: new Date(NOW), attempt: 0, profile: 'seed', settings: SETTINGS, facts: NOTHING_KNOWN } as const
const THERE = [
  ...Array.from({ length: 9 }, (_, i) => aTConfig({ name: `h${i}`, activated: false })),
  aTConfig({ name: 'ending', labels: DEACTIVATING, annotations: { 'tars.io/MarkedAt': NOW } }),
  aTConfig({ name: 'doomed', labels: DELETING, activated: false }),
  ...['a', 'b', 'c'].map((name) => aTConfig({ name, version: '20260102000000-1' })),
]

/** Turns until nothing is to be done. The worker ends at one write, before or behind it, and another one goes on. */
async function writtenWith(killedAt?: number, when?: string) {
  const cluster = admittingCluster(...THERE)
  const { readers, writer } = asCluster(cluster, needsOf({ controllers: [tconfigController] }, 'worker').reads, CTRL)
  const context = { ...given, live: cluster, writer, signal: new AbortController().signal }
  let writes = 0
  async function write(action: Action) {
    const isLast = writes === killedAt
    writes += 1
    if (isLast && when === 'before') throw new Error('killed')
    const answer = await performed(action, writer)
    if (isLast) throw new Error('killed')
    return answer
  }
  const sight = { ...readers, gone: () => [] }
  const turn = () => tconfigController.turn(KEY, { ...given, sight, carryOut: { context, write } })
  const isDue = async () => ((await turn().catch(() => ({ results: [1] })))?.results ?? []).length > 0
  for (let left = 9; (await isDue()) && left > 0; left -= 1);
  const versions = await cluster.list(TCONFIG, { namespace: 'demo' })
  const state = versions.map(({ metadata, activated }) => [metadata.name, activated, metadata.labels])
  return { writes, state }
}

const whole = await writtenWith()
const points = Array.from({ length: whole.writes }, (_, i) =>
  ['before', 'behind'].map((when) => ({ at: i, when })),
).flat()

it('RL-8 there are writes of TC-R1 to TC-R4 among those at which the worker is killed', () => {
  expect(whole.writes).toBe(6)
  expect(whole.state.filter(([, activated]) => activated).map(([name]) => name)).toEqual(['c'])
  expect(whole.state).toHaveLength(11)
})
it.each(points)(
  'RL-8 killed $when write $at, the end is the same, with one more write at most',
  async ({ at, when }) => {
    const { writes, state } = await writtenWith(at, when)
    expect(state).toEqual(whole.state)
    expect(writes).toBeLessThanOrEqual(whole.writes + 1)
  },
)
