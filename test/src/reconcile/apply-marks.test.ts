import { describe, expect, it } from 'vitest'
import type { Due, Intent } from '../../../src/admission/consequence.ts'
import { type ClusterWriter, type MergeOptions, Refused } from '../../../src/cluster/port.ts'
import { type Counted, carryOutWith } from '../../../src/reconcile/apply.ts'
import type { Tree } from '../../../src/schema.ts'
import { aMark } from '../../support/builders/gadgets.ts'
import { readerOf } from '../../support/fakes/readers.ts'
import { fault } from './writes.ts'

type Merge = ClusterWriter['merge']
const STORED = { metadata: { name: 'g' } }

const labels = { marked: '' }
const EXPECTED = { uid: 'u', resourceVersion: '1' }
const intent = (name: string, wishes: Partial<Intent> = {}): Due => ({ ...aMark(name), rule: 'XX-S1', ...wishes })
function renewed(name: string, wishes?: Partial<Intent>): Due {
  const { action, ...rest } = intent(name, wishes)
  return { ...rest, action: { ...action, expects: { uid: 'u', resourceVersion: '2' } } }
}

/** Answers each write as the case says, by name and by how often that name was written. */
function writerOf(answer: (name: string, time: number) => Promise<unknown> | unknown = () => STORED) {
  const writes: { readonly name: string; readonly patch: Tree; readonly options: MergeOptions | undefined }[] = []
  const merge: Merge = async (_, { name }, patch, options) => {
    writes.push({ name, patch, options })
    const shown = await answer(name, writes.filter((write) => write.name === name).length)
    if (shown instanceof Error) throw shown
    return STORED
  }
  return { merge, writes, names: () => writes.map(({ name }) => name) }
}
const carriedOut = (writer: { merge: Merge }, intents: readonly Due[], left: () => number = () => 7_200) =>
  carryOutWith(writer)(intents, { live: readerOf(), deadline: { left } })

describe('TC-S3 a mark', () => {
  it('is written as it was decided, in the time that is left, and nothing but metadata comes back', async () => {
    const writer = writerOf()
    await carriedOut(writer, [intent('a')])
    const patch = { metadata: { ...EXPECTED, labels } }
    expect(writer.writes).toEqual([{ name: 'a', patch, options: { timeoutMs: 7_200, metadataOnly: true } }])
  })

  it('of nothing is nothing', async () => {
    const writer = writerOf()
    await carriedOut(writer, [])
    expect(writer.writes).toEqual([])
  })

  it('on what is gone is not needed, and is no failure', async () => {
    const writer = writerOf((name) => (name === 'a' ? fault('GONE') : STORED))
    await carriedOut(writer, [intent('a', { again: () => Promise.reject(new Error('never asked')) }), intent('b')])
    expect(writer.names()).toEqual(['a', 'b'])
  })

  it('in conflict is decided anew by what is stored now, on the live reader, and written once more', async () => {
    const live = readerOf()
    const requested: unknown[] = []
    const writer = writerOf((_, time) => (time === 1 ? fault('CONFLICT') : STORED))
    const again: Intent['again'] = async (reader) => {
      requested.push(reader)
      return renewed('a')
    }
    await carryOutWith(writer)([intent('a', { again })], { live, deadline: { left: () => 1 } })
    expect(requested).toEqual([live])
    expect(writer.writes.map(({ patch }) => patch)).toEqual([
      { metadata: { ...EXPECTED, labels } },
      { metadata: { ...EXPECTED, resourceVersion: '2', labels } },
    ])
  })

  it('in conflict that is not called for any more is left', async () => {
    const writer = writerOf(() => fault('CONFLICT'))
    await carriedOut(writer, [intent('a')])
    expect(writer.names()).toEqual(['a'])
  })

  it('in conflict on what is gone then is left', async () => {
    const writer = writerOf((_, time) => fault(time === 1 ? 'CONFLICT' : 'GONE'))
    await carriedOut(writer, [intent('a', { again: async () => renewed('a') })])
    expect(writer.names()).toEqual(['a', 'a'])
  })

  it('in conflict twice fails: no third time', async () => {
    const writer = writerOf(() => fault('CONFLICT'))
    const again = async () => renewed('a', { again: async () => renewed('a') })
    await expect(carriedOut(writer, [intent('a', { again })])).rejects.toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
      message: 'cannot mark a: somebody else keeps writing it',
    })
    expect(writer.names()).toEqual(['a', 'a'])
  })

  it.each([
    { name: 'an API server that is away', error: fault('CLUSTER_UNREACHABLE'), why: 'it was CLUSTER_UNREACHABLE' },
    { name: 'no time', error: fault('DEADLINE'), why: 'it was DEADLINE' },
    {
      name: 'a right that is missing, of which nothing is told',
      error: new Refused({ code: 403, reason: 'Forbidden', message: 'User "tars" cannot patch' }),
      why: 'the API server does not take it',
    },
    { name: 'anything else', error: new TypeError('x is undefined'), why: 'the API server does not take it' },
  ])('fails by $name: 503, and worth another try', async ({ error, why }) => {
    const failed = carriedOut(
      writerOf(() => error),
      [intent('a')],
    )
    await expect(failed).rejects.toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
      status: 503,
      retry: true,
      message: `cannot mark a: ${why}`,
      cause: error,
    })
  })

  it('fails when it cannot be decided anew', async () => {
    const again = () => Promise.reject(fault('CLUSTER_REFUSED'))
    const failed = carriedOut(
      writerOf(() => fault('CONFLICT')),
      [intent('a', { again })],
    )
    await expect(failed).rejects.toMatchObject({ retry: true, message: 'cannot mark a: it was CLUSTER_REFUSED' })
  })
})

describe('TC-S3 many marks', () => {
  const many = Array.from({ length: 20 }, (_, i) => intent(`g${i}`))

  it('are written eight at once', async () => {
    let [now, most] = [0, 0]
    const writer = writerOf(async () => {
      now += 1
      most = Math.max(most, now)
      await Promise.resolve()
      now -= 1
    })
    await carriedOut(writer, many)
    expect(writer.names().toSorted()).toEqual(many.map(({ action }) => action.ref.name).toSorted())
    expect(most).toBe(8)
  })

  it('end when the time is up, and what was written stays', async () => {
    const writer = writerOf()
    const failed = carriedOut(writer, many, () => 3 - writer.writes.length)
    await expect(failed).rejects.toMatchObject({ message: 'cannot mark g3: the time is up' })
    expect(writer.names()).toEqual(['g0', 'g1', 'g2'])
  })

  it('end when one fails: none is begun after that, and those under way are waited for', async () => {
    const slow = Promise.withResolvers<void>()
    let done = 0
    const writer = writerOf(async (name) => {
      if (name === 'g0') return fault('CLUSTER_UNREACHABLE')
      await slow.promise
      done += 1
      return STORED
    })
    const failed = carriedOut(writer, many)
    const early = await Promise.race([failed.catch(() => 'failed'), Promise.resolve().then(() => 'waiting')])
    slow.resolve()
    await expect(failed).rejects.toThrow('cannot mark g0: ')
    expect({ early, done, names: writer.names() }).toEqual({
      early: 'waiting',
      done: 7,
      names: many.slice(0, 8).map(({ action }) => action.ref.name),
    })
  })
})

describe('U-35 each mark is counted by what has become of it', () => {
  const conflict = fault('CONFLICT')
  it.each([
    { name: 'written', answers: [STORED], again: undefined, outcome: 'set' },
    { name: 'written at the second try', answers: [conflict, STORED], again: renewed('a'), outcome: 'set' },
    { name: 'on what is gone', answers: [fault('GONE')], again: undefined, outcome: 'gone' },
    { name: 'on what is gone then', answers: [conflict, fault('GONE')], again: renewed('a'), outcome: 'gone' },
    { name: 'not called for any more', answers: [conflict], again: undefined, outcome: 'needless' },
    { name: 'in conflict twice', answers: [conflict, conflict], again: renewed('a'), outcome: 'conflict' },
    { name: 'not taken', answers: [fault('CLUSTER_UNREACHABLE')], again: undefined, outcome: 'failed' },
  ])('$name: $outcome', async ({ answers, again, outcome }) => {
    const marks: Counted[] = []
    const { merge } = writerOf((_, time) => answers[time - 1])
    const carryOut = carryOutWith({ merge }, (mark) => marks.push(mark))
    const carried = carryOut([intent('a', { again: async () => again })], {
      live: readerOf(),
      deadline: { left: () => 1 },
    })
    await carried.catch(() => undefined)
    expect(marks).toEqual([{ kind: 'Gadget', rule: 'XX-S1', outcome }])
  })
})
