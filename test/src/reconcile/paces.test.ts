import { describe, expect, it } from 'vitest'
import { pacing } from '../../../src/reconcile/paces.ts'
import { integer } from '../../../src/schema.ts'
import { setting } from '../../../src/setting.ts'
import { withSetting } from '../../support/answerer-parts.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { type Beside, labelling, NOTE, noteController, noteOn } from '../../support/builders/notes.ts'
import { clusterOf } from '../../support/clusters.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { rested, working } from '../../support/working.ts'

const QPS = setting('notesPerSecond', integer({ doc: 'notes per second', default: 2 }))
const PACED = {
  resource: NOTE,
  verbs: ['create'],
  pace: (settings) => ({ perSecond: settings.get(QPS), burst: 3 }),
} as const satisfies Parameters<typeof pacing>[0][number]

/** Notes of one gadget, all in one turn. */
const several = (many: number) =>
  noteController({
    name: 'several',
    watches: [],
    writes: [PACED],
    plan: ({ gadget }: Beside) => ({ actions: manyOn(gadget, many) }),
  })
const manyOn = (gadget: Beside['gadget'], many: number) =>
  Array.from({ length: many }, (_, at) => noteOn({ ...gadget, metadata: { ...gadget.metadata, name: `g${at}` } }))

describe('the writes of a right with a pace', () => {
  it('come at once up to its burst, and then so many a second, while other controllers go on', async () => {
    const memory = clusterOf(aGadget())
    const written = async () => (await memory.list(NOTE, { namespace: 'demo' })).length
    const { happened, passed } = working([several(5), noteController({ name: 'free' })], { memory })
    expect(await happened()).toContain('free g done')
    expect(await written()).toBe(3 + 1) // one by the free controller
    expect(await passed(499)).toEqual([])
    expect(await written()).toBe(3 + 1)
    await passed(1)
    expect(await written()).toBe(4 + 1)
    expect(await passed(500)).toContain('several g done')
    expect(await written()).toBe(5 + 1)
  })

  it.each([
    { perSecond: 2, ms: 500 },
    { perSecond: 10, ms: 100 },
  ])('follow the settings: $perSecond a second', async ({ perSecond, ms }) => {
    const clock = new ManualClock()
    const paced = pacing([PACED], { settings: withSetting(QPS, perSecond), clock })
    let done = 0
    for (let at = 0; at < 4; at += 1) void paced(noteOn(aGadget())).then(() => (done += 1))
    await rested()
    expect(done).toBe(3)
    clock.advance(ms - 1)
    await rested()
    expect(done).toBe(3)
    clock.advance(1)
    await rested()
    expect(done).toBe(4)
  })

  it('hold back no other write', async () => {
    const paced = pacing([PACED, { resource: NOTE, verbs: ['merge'] }], {
      settings: withSetting(QPS, 1),
      clock: new ManualClock(),
    })
    for (let at = 0; at < 9; at += 1) void paced(noteOn(aGadget()))
    await expect(paced(labelling(aGadget(), {}))).resolves.toBeUndefined()
  })
})
