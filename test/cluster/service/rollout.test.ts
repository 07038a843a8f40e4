import { beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from '../cluster.ts'
import { DEPLOYMENT, type Installation, installed } from './installed.ts'
import { loadOf, storedIn } from './load.ts'

const cluster = theCluster()
const ROLLOUTS = Number(process.env.ROLLOUTS ?? 20)
let ours: Installation

beforeAll(async () => {
  ours = await installed(cluster)
}, 120_000)

describe('rolling updates under load (RL-3)', () => {
  it(`${ROLLOUTS} of them under 200 reviews a second fail no create`, async () => {
    const load = await loadOf(cluster, 'rollouts', 100)
    for (let done = 0; done < ROLLOUTS; done += 1) {
      await ours.kubectl('rollout', 'restart', DEPLOYMENT)
      await ours.rolledOut()
    }
    const { created, failed, seconds, reviews } = await load.stop()
    process.stdout.write(
      `${ROLLOUTS} rollouts in ${seconds.toFixed(1)} s: ${created.length} creates, ${failed.length} failed; ` +
        `${(created.length / seconds).toFixed(1)} creates/s, ${(reviews / seconds).toFixed(1)} reviews/s\n`,
    )
    expect(failed).toEqual([])
    expect(await storedIn(cluster, 'rollouts')).toEqual({ names: created.toSorted(), incomplete: [] })
  }, 600_000)
})
