import { describe, expect, it } from 'vitest'
import type { Cluster, KubeObject } from '../../src/cluster/port.ts'
import { controllersOf } from '../../src/family.ts'
import { Fault } from '../../src/faults.ts'
import { workerIn } from '../../src/process/identities.ts'
import { asCluster } from '../../src/process/memory-cluster.ts'
import type { Result, Step } from '../../src/reconcile/controller.ts'
import { settle } from '../../src/reconcile/settle.ts'
import { settingsOf } from '../../src/setting.ts'
import { families } from '../../webhooks/index.ts'
import { TENDPOINT } from '../../webhooks/tars/tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../webhooks/tars/texitedrecord/schema.ts'
import { TSERVER } from '../../webhooks/tars/tserver/schema.ts'
import { TTREE } from '../../webhooks/tars/ttree/schema.ts'
import { SERVICE, STATEFULSET } from '../../webhooks/tars/workloads.ts'
import { aTServer } from '../support/builders/servers.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { admittingCluster, NOW } from '../support/clusters.ts'
import { REMOTES } from '../support/remotes.ts'

// All controllers of all families together, on a cluster that asks the webhooks.

const settings = settingsOf({})
const MADE = [TTREE, TENDPOINT, TEXITEDRECORD, SERVICE, STATEFULSET, TSERVER]

async function clusterWith(...servers: readonly string[]) {
  const memory = admittingCluster(aTTemplate())
  for (const server of servers) await memory.create(TSERVER, aTServer({ server }))
  return memory
}
type Memory = Awaited<ReturnType<typeof clusterWith>>

function settled(memory: Memory, changed: (cluster: Cluster) => Partial<Cluster> = () => ({})) {
  const cluster = asCluster(memory, [], workerIn('tars-system'))
  const controllers = controllersOf(families, REMOTES, settings)
  return settle(controllers, { ...cluster, ...changed(cluster) }, { settings, profile: 'seed', at: new Date(NOW) })
}
const written = ({ results }: { readonly results: readonly Result<Step>[] }) =>
  results.flatMap(({ action, outcome }) =>
    outcome === 'done' && 'of' in action ? [`${action.do} ${action.of.plural}`] : [],
  )

describe('all controllers together come to rest', () => {
  it('WR-10, WK-10 a new TServer is five writes in this order, after one for its app', async () => {
    expect(written(await settled(await clusterWith('One')))).toEqual([
      'create ttrees',
      'apply tendpoints',
      'create texitedrecords',
      'apply services',
      'apply statefulsets',
      'merge tservers',
    ])
  })

  it('WR-3, WK-4 twenty are a hundred, and a second full pass writes nothing', async () => {
    const memory = await clusterWith(...Array.from({ length: 20 }, (_, each) => `S${each}`))
    expect(written(await settled(memory))).toHaveLength(101)
    const second = await settled(memory)
    expect([written(second), second.notices]).toEqual([[], []])
  })
})

/** A writer that dies with the process: after so many writes none is answered, and the first of these may arrive. */
function dyingAfter(writes: number, arrives: boolean): (cluster: Cluster) => Partial<Cluster> {
  let left = writes
  const alive = async <A>(write: () => Promise<A>): Promise<A> => {
    left -= 1
    if (left >= 0) return write()
    if (left === -1 && arrives) await write()
    throw new Fault('CLUSTER_UNREACHABLE', 'the process is gone')
  }
  return ({ writer }) => ({
    writer: {
      ...writer,
      create: (...asked) => alive(() => writer.create(...asked)),
      apply: (...asked) => alive(() => writer.apply(...asked)),
      merge: (...asked) => alive(() => writer.merge(...asked)),
      patch: (...asked) => alive(() => writer.patch(...asked)),
    },
  })
}

describe('WR-5, RL-8 a crash between any two writes', () => {
  /** All that was made, without what tells one object of a name from another. */
  async function made(memory: Memory): Promise<readonly unknown[]> {
    const lists = MADE.map((of) => memory.list<KubeObject>(of, { namespace: '' }))
    const text = JSON.stringify((await Promise.all(lists)).flat())
    return [text.replaceAll(/"(?:uid|resourceVersion)":"[^"]*"/g, '""')]
  }

  const cases = [0, 1, 2, 3, 4, 5].flatMap((writes) => [false, true].map((arrives) => ({ writes, arrives })))
  it.each(cases)('after $writes, converges without a write too many; the next arrives: $arrives', async (crash) => {
    const whole = await clusterWith('One')
    await settled(whole)
    const memory = await clusterWith('One')
    const before = written(await settled(memory, dyingAfter(crash.writes, crash.arrives)))
    const after = written(await settled(memory))
    expect([...before, ...after]).toHaveLength(crash.arrives ? 5 : 6) // the answer to what arrives is lost
    expect(await made(memory)).toEqual(await made(whole))
  })
})
