import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../src/fact.ts'
import { asCluster } from '../../../src/process/memory-cluster.ts'
import type { Controller } from '../../../src/reconcile/controller.ts'
import { settle } from '../../../src/reconcile/settle.ts'
import { settingsOf } from '../../../src/setting.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { labelling, NOTE, noteController } from '../../support/builders/notes.ts'
import { clusterOf, NOW } from '../../support/clusters.ts'

const KEY = { namespace: 'demo', name: 'g' }

function settled(controllers: readonly Controller[], memory = clusterOf(aGadget())) {
  return settle(controllers, asCluster(memory, []), OPTIONS)
}
const OPTIONS = { settings: settingsOf({}), profile: 'seed', at: new Date(NOW) } as const
const isText = (value: unknown) => typeof value === 'string'

describe('settle runs turns until nothing is due', () => {
  it('what a turn writes wakes the controllers that watch it', async () => {
    const memory = clusterOf(aGadget())
    const reader = noteController({
      name: 'label',
      plan: ({ note }) => ({
        actions: note === undefined || note.metadata.labels?.read ? [] : [labelling(note, { read: 'yes' })],
      }),
    })
    const { results } = await settled([reader, noteController()], memory)
    expect(results.map(({ action, outcome }) => [action.do, outcome])).toEqual([
      ['create', 'done'],
      ['merge', 'done'],
    ])
    expect(await memory.get(NOTE, KEY)).toMatchObject({ metadata: { labels: { read: 'yes' } } })
  })

  it('a plan is given what the process has found out', async () => {
    const weather = { name: 'weather', everyMs: 1, needs: [], until: 'unknown', is: isText, ask: async () => 'fine' }
    const seen: string[] = []
    const reader = noteController({
      plan: (_, { facts }) => {
        seen.push(facts.get(weather))
        return { actions: [] }
      },
    })
    const facts = factsOf(new Map([['weather', 'fine']]))
    for (const known of [undefined, facts])
      await settle([reader], asCluster(clusterOf(aGadget()), []), { ...OPTIONS, facts: known })
    expect(seen).toEqual(['unknown', 'fine'])
  })

  it('a second time it writes nothing', async () => {
    const memory = clusterOf(aGadget())
    await settled([noteController()], memory)
    expect(await settled([noteController()], memory)).toMatchObject({ results: [], turns: 1 })
  })

  it('what is due later is run at its time', async () => {
    const times: string[] = []
    const later = noteController({
      plan: (_, { at }) => {
        times.push(at.toISOString())
        return times.length < 3 ? { actions: [], againInMs: 20_000 } : { actions: [] }
      },
    })
    await settled([later])
    expect(times).toEqual(['2026-11-18T12:00:00.000Z', '2026-11-18T12:00:20.000Z', '2026-11-18T12:00:40.000Z'])
  })

  it('a notice says what it is about', async () => {
    const notice = { type: 'Normal', reason: 'Noted', message: 'there is a note' } as const
    const memory = clusterOf(aGadget())
    const { notices } = await settled([noteController({ plan: () => ({ actions: [], notices: [notice] }) })], memory)
    const gadget = await memory.get(GADGET, KEY)
    expect(notices).toEqual([
      { ...notice, about: { of: expect.objectContaining({ kind: 'Gadget' }), ref: KEY, uid: gadget?.metadata.uid } },
    ])
  })

  it('names the key that does not come to rest', async () => {
    const restless = noteController({
      plan: ({ gadget, note }, { at }) => ({
        actions: [labelling(note ?? gadget, { at: String(at.getTime()) })],
        againInMs: 5,
      }),
    })
    await expect(settled([restless])).rejects.toThrow('controller note does not come to rest on demo/g: 101 turns')
  })

  it('rejects with what a controller throws', async () => {
    const observe = () => Promise.reject(new TypeError('not a gadget'))
    await expect(settled([noteController({ observe })])).rejects.toThrow('not a gadget')
  })
})
