import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Asking, Fact } from '../../../src/fact.ts'
import { Fault } from '../../../src/faults.ts'
import { FactKeeper } from '../../../src/process/facts.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { clusterOf } from '../../support/clusters.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { readersOf } from '../../support/fakes/readers.ts'

const HOUR = 3_600_000
const isText = (value: unknown) => typeof value === 'string'
const ASKING: Asking = { ...readersOf(), home: 'tars-system', openApi: async () => undefined }

function aFact(ask: Fact<string>['ask'], wishes: Partial<Fact<string>> = {}): Fact<string> {
  return { name: 'weather', everyMs: HOUR, needs: [], until: 'unknown', is: isText, ask, ...wishes }
}

/** A keeper with a clock that a test moves; it answers what was told to the log. */
function keeping(...facts: readonly Fact<unknown>[]) {
  const clock = new ManualClock()
  const log: unknown[] = []
  const keeper = new FactKeeper({
    facts,
    asking: () => ASKING,
    clock,
    log: { warn: (fields: unknown) => log.push(fields) },
  })
  return {
    keeper,
    clock,
    log,
    /** Whatever is due is answered. */
    async passed(ms: number) {
      clock.advance(ms)
      await setImmediate()
    },
  }
}

describe('a fact', () => {
  it('counts as its `until`, until it is known', async () => {
    const fact = aFact(async ({ home }) => `fine in ${home}`)
    const { keeper } = keeping(fact)
    expect(keeper.get(fact)).toBe('unknown')
    await keeper.askAll()
    expect(keeper.get(fact)).toBe('fine in tars-system')
    expect(keeper.get({ ...fact, name: 'another' })).toBe('unknown')
  })

  it('is asked at the start and after its time, again and again, until the process ends', async () => {
    let count = 0
    const fact = aFact(async () => `asked ${++count}`)
    const { keeper, passed } = keeping(fact)
    const stop = keeper.keep(clusterOf())
    await passed(0)
    expect(keeper.get(fact)).toBe('asked 1')
    await passed(HOUR - 1)
    expect(keeper.get(fact)).toBe('asked 1')
    await passed(1)
    await passed(HOUR)
    expect(keeper.get(fact)).toBe('asked 3')
    stop()
    await passed(HOUR)
    expect(count).toBe(3)
  })

  it('is asked alone: the next waits, and one that waits is not asked twice', async () => {
    const asked: string[] = []
    const { promise, resolve } = Promise.withResolvers<string>()
    const slow = aFact(
      () => {
        asked.push('slow')
        return promise
      },
      { everyMs: 1 },
    )
    const quick = aFact(async () => String(asked.push('quick')), { name: 'quick' })
    const { keeper, passed } = keeping(slow, quick)
    const stop = keeper.keep(clusterOf())
    await passed(0)
    await passed(5)
    expect(asked).toEqual(['slow'])
    stop()
    resolve('done')
    await passed(0)
    expect(asked).toEqual(['slow', 'quick', 'slow'])
  })

  it('that is not answered in time is a failure, and the next is asked', async () => {
    const never = aFact(() => new Promise<string>(() => undefined))
    const quick = aFact(async () => 'here', { name: 'quick' })
    const { keeper, passed, log } = keeping(never, quick)
    void keeper.askAll()
    await passed(0)
    await passed(19_999)
    expect(keeper.get(quick)).toBe('unknown')
    await passed(1)
    expect(keeper.get(quick)).toBe('here')
    expect(log).toEqual([{ fact: 'weather', code: 'DEADLINE', reason: 'no answer within 20 s' }])
  })

  it('keeps its last answer where asking fails, which is logged at most every ten minutes', async () => {
    let fails = false
    const why = new Error('broken')
    const fact = aFact(async () => {
      if (fails) throw why
      return 'fine'
    })
    const { keeper, passed, log } = keeping(fact)
    await keeper.askAll()
    fails = true
    for (const ms of [0, 599_999, 1]) {
      await passed(ms)
      await keeper.askAll()
    }
    expect(keeper.get(fact)).toBe('fine')
    expect(log).toEqual([
      { fact: 'weather', err: why },
      { fact: 'weather', err: why },
    ])
  })

  it('is measured by its answers', async () => {
    const metric = { name: 'weather', type: 'gauge', labels: [], help: '' } as const
    const measured = (answer: string) => [{ metric, labels: {}, value: answer.length }]
    const samples: unknown[] = []
    const clock = new ManualClock()
    const facts = [aFact(async () => 'fine', { measured }), aFact(async () => 'here', { name: 'quick' })]
    const measure = (each: readonly unknown[]) => samples.push(...each)
    await new FactKeeper({ facts, asking: () => ASKING, clock, log: { warn: () => undefined }, measure }).askAll()
    expect(samples).toEqual([{ metric, labels: {}, value: 4 }])
  })

  it('an answer that is none of it does not count', async () => {
    const fact = aFact(async () => 'fine', { is: (value): value is string => value === 'foul' })
    const { keeper } = keeping(fact)
    await keeper.askAll()
    expect(keeper.get(fact)).toBe('unknown')
  })

  it('is asked again a second after what it follows has changed, once for many changes', async () => {
    let count = 0
    const fact = aFact(async () => `asked ${++count}`, { follows: [{ of: GADGET, name: 'g' }] })
    const cluster = clusterOf()
    const { keeper, passed } = keeping(fact)
    const stop = keeper.keep(cluster)
    await passed(0) // the first look of the watch
    await passed(1_000)
    const first = count
    const written = () => cluster.seed([{ ...aGadget(), metadata: { name: 'g' } }])
    written()
    written()
    await passed(0)
    await passed(999)
    expect(count).toBe(first)
    await passed(1)
    expect(count).toBe(first + 1)
    written()
    await passed(0)
    stop()
    await passed(HOUR)
    expect(count).toBe(first + 1)
  })
  it('that cannot be read at the start is known to the log by its code', async () => {
    const { keeper, log } = keeping(aFact(() => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'away'))))
    await keeper.askAll()
    expect(log).toEqual([{ fact: 'weather', code: 'CLUSTER_UNREACHABLE', reason: 'away' }])
  })
})
