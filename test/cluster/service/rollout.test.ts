import { beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from '../cluster.ts'
import { DEPLOYMENT, type Installation, installed } from './installed.ts'
import { figuresOf, groundFor, loadOn, storedIn } from './load.ts'

const cluster = theCluster()
const ROLLOUTS = Number(process.env.ROLLOUTS ?? 20)
let ours: Installation

beforeAll(async () => {
  ours = await installed(cluster)
}, 120_000)

describe('rolling updates under load (RL-3)', () => {
  it(`${ROLLOUTS} of them under 200 reviews a second fail no create`, async () => {
    const started = new Date()
    const load = await loadOn(cluster, await groundFor(cluster, 'rollouts'), { perSecond: 100, oneStoredIn: 10 })
    for (let done = 0; done < ROLLOUTS; done += 1) {
      await ours.kubectl('rollout', 'restart', DEPLOYMENT)
      await ours.rolledOut()
    }
    await ours.settled()
    const borne = await load.stop()
    process.stdout.write(`${ROLLOUTS} rolling updates: ${figuresOf(borne)}\n`)
    expect(borne.failed).toEqual([])
    expect(await storedIn(cluster, 'rollouts')).toEqual({ names: borne.stored, incomplete: [] })
    expect(borne.reviews, 'each create is reviewed twice').toBe(2 * borne.created.length)
    const endings = ours.endingsSince(started)
    expect(endings).toHaveLength(2 * ROLLOUTS)
    expect(endings.filter(({ code }) => code !== 0)).toEqual([])
  }, 900_000)
})
