import { readFileSync } from 'node:fs'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from '../cluster.ts'
import { expectDone } from '../product.ts'
import { until } from '../until.ts'
import { type Installation, installed, type OurPod } from './installed.ts'
import { figuresOf, groundFor, loadOn, passed, storedIn } from './load.ts'

const cluster = theCluster()
let ours: Installation

beforeAll(async () => {
  ours = await installed(cluster)
}, 120_000)
afterEach(() => ours.settled(), 120_000)

describe('under load', () => {
  it('scaling from 2 to 5, to 1 and back to 2 fails no create', async () => {
    const started = new Date()
    const load = await loadOn(cluster, await groundFor(cluster, 'scaled'), { perSecond: 100 })
    for (const replicas of [5, 1, 2]) {
      await ours.scale(replicas)
      await ours.settled()
    }
    const borne = await load.stop()
    process.stdout.write(`scaled 2, 5, 1, 2: ${figuresOf(borne)}\n`)
    expect(borne.failed).toEqual([])
    expect(await storedIn(cluster, 'scaled')).toEqual({ names: borne.stored, incomplete: [] })
    expect(ours.endingsSince(started).map(({ code }) => code)).toEqual([0, 0, 0, 0])
  }, 180_000)

  it.each([
    { killed: 'one of two pods', many: 1, namespace: 'one-killed' },
    { killed: 'both pods', many: 2, namespace: 'both-killed' },
  ])(
    '$killed killed: what fails by it fails visibly, nothing is stored by half, and they come back',
    async ({ many, namespace }) => {
      const load = await loadOn(cluster, await groundFor(cluster, namespace), { perSecond: 100 })
      const killed = (await ours.pods()).slice(0, many)
      await passed(1_000)
      const since = Date.now()
      for (const { pid = 0 } of killed) process.kill(pid, 'SIGKILL')
      await until('the killed are ready again', () => areBack(killed))
      const back = Date.now() - since
      await passed(2_000)
      const borne = await load.stop()
      const last = Math.max(0, ...borne.failed.map(({ at }) => new Date(at).getTime() - since))
      process.stdout.write(
        `${many} killed, ready again in ${back} ms: ${figuresOf(borne)}, the last ${last} ms after\n`,
      )
      const reported = { status: 500, message: expect.stringContaining('failed calling webhook') }
      for (const failure of borne.failed) expect(failure).toMatchObject(reported)
      if (many === 2) expect(borne.failed.length, 'the outage was felt').toBeGreaterThan(0)
      expect(last).toBeLessThan(back + 500)
      expect(await storedIn(cluster, namespace)).toEqual({ names: borne.stored, incomplete: [] })
    },
    120_000,
  )

  it('draining the nodes of both pods at once heeds the disruption budget and fails no create', async () => {
    const nodes = (await ours.pods()).map(({ node }) => node)
    expect(new Set(nodes).size, 'the pods are on different nodes').toBe(2)
    const load = await loadOn(cluster, await groundFor(cluster, 'drained'), { perSecond: 100 })
    const drain = (node: string) => cluster.kubectl(['drain', node, '--delete-emptydir-data', '--timeout=50s'])
    for (const drained of await Promise.all(nodes.map(drain))) expectDone(drained)
    await ours.settled()
    const after = (await ours.pods()).map(({ node }) => node)
    expectDone(await cluster.kubectl(['uncordon', ...nodes]))
    const borne = await load.stop()
    process.stdout.write(`two nodes drained: ${figuresOf(borne)}\n`)
    expect(borne.failed).toEqual([])
    expect(after.filter((node) => nodes.includes(node))).toEqual([])
    expect(evictionsAnswered(429), 'the second had to wait for the first').toBeGreaterThan(0)
  }, 180_000)
})

async function areBack(killed: readonly OurPod[]): Promise<boolean> {
  const pods = await ours.pods()
  return killed.every(({ name, restarts }) =>
    pods.some((pod) => pod.name === name && pod.restarts > restarts && pod.isReady),
  )
}

function evictionsAnswered(code: number): number {
  return readFileSync(cluster.auditLog, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"subresource":"eviction"') && JSON.parse(line).responseStatus.code === code).length
}
