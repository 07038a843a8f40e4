import { describe, expect, it } from 'vitest'
import { resource } from '../../../src/cluster/resource.ts'
import { configFrom } from '../../../src/commands/settings.ts'
import { asCluster } from '../../../src/process/memory-cluster.ts'
import { reconciling, WORKER_PREFIX } from '../../../src/process/reconciling.ts'
import { ALWAYS } from '../../../src/reconcile/leadership.ts'
import { object } from '../../../src/schema.ts'
import { logTo } from '../../../src/telemetry/log.ts'
import { Meter } from '../../../src/telemetry/metrics.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { type Beside, NOTE, noteController, noteOn } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'
import { rested } from '../../support/working.ts'

const EVERYWHERE = { namespace: '' }
const EVENT = resource({ group: '', version: 'v1', kind: 'Event', plural: 'events', scope: 'Namespaced' }, object({}))

function part() {
  const memory = clusterOf(aGadget())
  const config = configFrom({ args: [], env: {}, names: ['writesPerSecond', 'profile'], readFile: () => ({}) })
  const observed = { log: logTo({ write: () => undefined }, 'silent'), meter: new Meter(WORKER_PREFIX) }
  const leadership = { ...ALWAYS, identity: 'pod_1' }
  const notices = [{ type: 'Normal', reason: 'Noted', message: 'there is a note' }] as const
  const plan = ({ gadget, note }: Beside) => ({ actions: note === undefined ? [noteOn(gadget)] : [], notices })
  const controllers = [noteController({ plan })]
  return {
    memory,
    part: reconciling({ controllers, kinds: [], cluster: asCluster(memory, []), leadership, config, ...observed }),
  }
}

describe('the part of a process that runs controllers', () => {
  it('is ready when all that they watch is listed, and says whom it stands for (WR-9)', async () => {
    const { part: reconciles } = part()
    await using opened = new AsyncDisposableStack()
    const [check] = reconciles.checks
    expect(check?.missing()).toBe('not everything that controllers watch has been listed yet')
    expect(await reconciles.start(opened)).toEqual({ identity: 'pod_1' })
    await rested()
    expect(check?.missing()).toBeUndefined()
  })

  it('writes objects and events, until it is to end', async () => {
    const { memory, part: reconciles } = part()
    await using opened = new AsyncDisposableStack()
    await reconciles.start(opened)
    await rested()
    expect(await memory.list(NOTE, EVERYWHERE)).toHaveLength(1)
    expect(await memory.list(EVENT, EVERYWHERE)).toMatchObject([
      { metadata: { name: expect.stringMatching(/^g\.[0-9a-f]{16}$/) } },
    ])
    await reconciles.drain?.()
    await memory.create(GADGET, { ...aGadget(), metadata: { namespace: 'demo', name: 'h' } })
    await rested()
    expect(await memory.list(NOTE, EVERYWHERE)).toHaveLength(1)
  })
})
