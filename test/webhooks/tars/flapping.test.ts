import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../../src/cluster/port.ts'
import { settingsOf } from '../../../src/setting.ts'
import { tars } from '../../../webhooks/tars/family.ts'
import { POD } from '../../../webhooks/tars/pods.ts'
import { TENDPOINT } from '../../../webhooks/tars/tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../../webhooks/tars/texitedrecord/schema.ts'
import { TSERVER } from '../../../webhooks/tars/tserver/schema.ts'
import { aTFrameworkConfig } from '../../support/builders/framework-configs.ts'
import { aPort, aRelease, aTServer } from '../../support/builders/servers.ts'
import { OF_SERVER } from '../../support/builders/workloads.ts'
import { clusterOf } from '../../support/clusters.ts'
import { REMOTES } from '../../support/remotes.ts'
import { working } from '../../support/working.ts'

const PODS = 10_000
/** Changes in each millisecond. */
const AT_ONCE = 10
const LIMIT = 10
const KEY = { namespace: 'demo', name: 'demo-echo' }
const names = Array.from({ length: PODS }, (_, i) => `guest-${i}`)
const refOf = (name: string) => ({ namespace: 'demo', name })
const conditions = (isReady: boolean) => [{ type: 'Ready', status: isReady ? 'True' : 'False' }]
const aGuest = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...refOf(name), labels: OF_SERVER },
  spec: { containers: [{ name: 'echo', image: 'registry.example/echo:r1' }] },
  status: { phase: 'Running', conditions: conditions(false) },
})

/** A worker of all kinds of TARS, its writes by what was written, and a server with its pods, of which all is known. */
async function flappingWorld() {
  const config = aTFrameworkConfig({ recordLimit: { texitedPod: LIMIT, tconfigHistory: 10, timageRelease: 10 } })
  const server = aTServer({ normal: [aPort()], release: aRelease(), k8s: { replicas: 0 } })
  const memory = clusterOf(config, server, ...names.map(aGuest))
  const writes: string[] = []
  const counting = ({ writer }: Cluster): Partial<Cluster> => ({
    writer: {
      ...writer,
      merge: (of, ...asked) => writer.merge(of, ...asked).finally(() => writes.push(of.kind)),
      patch: (of, ...asked) => writer.patch(of, ...asked).finally(() => writes.push(of.kind)),
      apply: (of, ...asked) => writer.apply(of, ...asked).finally(() => writes.push(of.kind)),
    },
  })
  const settings = settingsOf({})
  const { passed } = working(tars.controllers(REMOTES, settings), { memory, changed: counting, settings })
  for (let round = 0; round < 20; round += 1) await passed(200)
  /** How often each kind is written while this happens to each pod, one after the other, and until the worker rests. */
  async function writtenIn(...rounds: readonly ((name: string) => Promise<unknown>)[]) {
    writes.length = 0
    for (const act of rounds)
      for (let from = 0; from < PODS; from += AT_ONCE) {
        for (const name of names.slice(from, from + AT_ONCE)) await act(name)
        await passed(1)
      }
    for (let round = 0; round < 20; round += 1) await passed(200)
    const counts = Object.entries(Object.groupBy(writes, (kind) => kind))
    return Object.fromEntries(counts.map(([kind, all = []]) => [kind, all.length]))
  }
  return { memory, writtenIn }
}

/** Changes are gathered for a second at most, and the last of them until there are no more. */
const mostIn = (rounds: number) => Math.ceil((rounds * PODS) / AT_ONCE / 1_000) + 1

describe(`WR-10 ${PODS} pods of one server, ${AT_ONCE} of which change in each millisecond`, () => {
  it('TE-R3, TX-R4 no write for each change, and a record that is full stays within its limit', async () => {
    const { memory, writtenIn } = await flappingWorld()
    const turns = (isReady: boolean) => (name: string) =>
      memory.merge(POD, refOf(name), { status: { conditions: conditions(isReady) } })
    const flapping = await writtenIn(turns(true), turns(false), turns(true))
    expect(Object.keys(flapping).toSorted()).toEqual(['TEndpoint', 'TServer'])
    expect(Math.max(...Object.values(flapping))).toBeLessThanOrEqual(mostIn(3))
    expect((await memory.get(TSERVER, KEY))?.status?.readyReplicas).toBe(PODS)

    const ending = await writtenIn((name) => memory.remove(POD, refOf(name)))
    expect(Math.max(...Object.values(ending))).toBeLessThanOrEqual(mostIn(1))
    expect((await memory.get(TEXITEDRECORD, KEY))?.pods).toHaveLength(LIMIT)
    expect((await memory.get(TENDPOINT, KEY))?.status?.pods).toEqual([])
  }, 300_000)
})
