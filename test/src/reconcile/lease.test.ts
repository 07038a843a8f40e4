import { describe, expect, it } from 'vitest'
import { LEASE } from '../../../src/reconcile/lease-record.ts'
import { type Elector, Electors, OURS } from '../../support/electors.ts'

/** One that leads since just now, and one that stands by and has seen it. */
async function two(): Promise<{ electors: Electors; leader: Elector; standby: Elector }> {
  const electors = new Electors()
  const leader = electors.start('a')
  await electors.pass(100)
  const standby = electors.start('b')
  await electors.pass(100)
  expect(electors.writers()).toEqual(['a'])
  return { electors, leader, standby }
}
const lost = { there: 0, back: 5_000, loses: 'call' } as const
const timesOf = ({ machine }: Elector, call: string) =>
  machine.calls.filter((each) => each.startsWith(call)).map((each) => Number(each.split(' ')[1]))

/** Passes time until it holds, and answers how long that took. */
async function until(electors: Electors, holds: () => boolean, atMostMs = 60_000): Promise<number> {
  for (let ms = 0; ms < atMostMs; ms += 100) {
    if (holds()) return ms
    await electors.pass(100)
  }
  throw new Error('it never holds')
}

describe('WR-2 who leads', () => {
  it('the first one creates the Lease, with six decimals, and hears of it', async () => {
    const electors = new Electors()
    const { machine } = electors.start('a')
    await electors.pass(100)
    expect(machine.heard).toEqual([false, true])
    expect(await electors.record()).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-11-19T00:00:00.100001Z',
      renewTime: '2026-11-19T00:00:00.100001Z',
      leaseTransitions: 0,
    })
  })

  it('of two that come together one leads', async () => {
    const electors = new Electors()
    for (const name of ['a', 'b']) electors.start(name)
    await electors.pass(60_000, () => expect(electors.writers().length).toBeLessThan(2))
    expect(electors.writers()).toHaveLength(1)
  })

  it('a leader renews every 2 s with one call, and leads on for ever', async () => {
    const { electors, leader } = await two()
    await electors.pass(60_000, () => expect(electors.writers()).toEqual(['a']))
    const renewals = timesOf(leader, 'replace')
    expect(renewals.slice(1).map((at, index) => at - (renewals[index] ?? 0))).toEqual(Array(29).fill(2_000))
    expect(timesOf(leader, 'get')).toHaveLength(1)
    expect(await electors.record()).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 })
  })

  it('a standby looks every 2 s at most, and exactly at the expiry', async () => {
    const { electors, leader, standby } = await two()
    leader.machine.pause()
    const seen = standby.machine.tick() - 100
    await electors.pass(20_000)
    const looks = timesOf(standby, 'get')
    expect(looks).toContain(seen + 15_000)
    for (const [index, at] of looks.entries()) expect(at - (looks[index - 1] ?? at)).toBeLessThanOrEqual(2_000)
  })

  it('RL-7 a dead leader is followed within 17 s, and never before 15 s', async () => {
    for (const dies of [100, 700, 1_300, 1_900, 2_000]) {
      const { electors, leader } = await two()
      await electors.pass(4_000 + dies)
      leader.machine.pause()
      const ms = await until(electors, () => electors.writers().includes('b'))
      expect(ms).toBeGreaterThan(12_900)
      expect(ms).toBeLessThanOrEqual(17_000)
      expect(await electors.record()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 })
    }
  })

  it.each([
    { name: 'of the future', renewTime: '2999-01-01T00:00:00.000000Z' },
    { name: 'of the past', renewTime: '1999-01-01T00:00:00.000000Z' },
    { name: 'that is none', renewTime: { toString: 1 } },
  ])('a renewTime $name is not believed, nor is the duration', async ({ renewTime }) => {
    const electors = new Electors()
    const spec = { holderIdentity: 'x', renewTime, leaseDurationSeconds: 3_600 }
    electors.cluster.seed([{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: OURS, spec }])
    electors.start('a')
    expect(await until(electors, () => electors.writers().length > 0)).toBe(15_100)
  })
})

describe('WR-2 who does not lead any more', () => {
  it('without a renewal within 10 s the leader stops, and hears of it', async () => {
    const { electors, leader } = await two()
    const [created = 0] = timesOf(leader, 'create')
    leader.machine.way = () => lost
    await until(electors, () => leader.machine.heard.length > 2)
    expect(leader.machine.tick()).toBe(created + 10_000)
    expect([leader.machine.heard, electors.writers()]).toEqual([[false, true, false], []])
  })

  it('the 10 s count from when the renewal was sent, however late its answer comes', async () => {
    const { electors, leader } = await two()
    leader.machine.way = () => ({ there: 4_000, back: 4_000 })
    await electors.pass(1_800)
    const sent = leader.machine.tick()
    await electors.pass(8_100)
    leader.machine.way = () => lost
    await until(electors, () => !leader.election.mayWrite())
    expect(leader.machine.tick()).toBe(sent + 10_000)
  })

  it('an answer after more than 10 s renews no right to write', async () => {
    const { electors, leader } = await two()
    leader.machine.way = () => ({ there: 0, back: 11_000 })
    await electors.pass(9_900)
    await electors.pass(30_000, () => expect(leader.election.mayWrite()).toBe(false))
    leader.machine.way = () => ({ there: 0, back: 0 })
    await electors.pass(12_000)
    expect(electors.writers()).toEqual(['a'])
  })

  it('RL-7 one that was stopped for 20 s may write nothing from its first moment, and stands by', async () => {
    const { electors, leader, standby } = await two()
    leader.machine.pause()
    await electors.pass(20_000)
    expect(electors.writers()).toEqual(['b'])
    leader.machine.resume()
    expect(leader.election.mayWrite()).toBe(false)
    await electors.pass(30_000, () => expect(electors.writers()).toEqual(['b']))
    expect([leader.machine.heard.at(-1), standby.machine.heard.at(-1)]).toEqual([false, true])
  })

  it('on exit the Lease is released, and the next one leads within 3 s', async () => {
    const { electors, leader } = await two()
    const stopped = leader.election.stop()
    expect(electors.writers()).toEqual([])
    await stopped
    expect(await electors.record()).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 })
    expect(await until(electors, () => electors.writers().includes('b'))).toBeLessThan(3_000)
    expect(await electors.record()).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 1 })
  })

  it('a standby that exits touches nothing', async () => {
    const { electors, standby } = await two()
    await standby.election.stop()
    expect(standby.machine.calls.filter((call) => !call.startsWith('get'))).toEqual([])
    await electors.pass(10_000)
    expect(electors.writers()).toEqual(['a'])
  })

  it('a release that is not answered ends all the same, and is noted', async () => {
    const { leader } = await two()
    leader.machine.way = () => ({ there: 0, back: 0, loses: 'call' })
    await leader.election.stop()
    expect(leader.log.lines.at(-1)).toMatchObject({ level: 'warn', name: OURS.name })
  })
})

describe('WR-2 a Lease that others write', () => {
  it.each([
    { name: 'deleted', change: (electors: Electors) => electors.cluster.remove(LEASE, OURS) },
    { name: 'emptied', change: (electors: Electors) => merge(electors, null) },
    { name: 'without a holder', change: (electors: Electors) => merge(electors, { holderIdentity: null }) },
    { name: 'labelled', change: (electors: Electors) => label(electors) },
    { name: 'of wrong types', change: (electors: Electors) => merge(electors, { holderIdentity: 7, renewTime: [] }) },
    { name: 'of a short duration', change: (electors: Electors) => merge(electors, { leaseDurationSeconds: 1 }) },
  ])('one that is $name stays with its leader, which mends it', async ({ change }) => {
    const { electors } = await two()
    await electors.pass(5_000)
    await change(electors)
    await electors.pass(30_000, () => expect(electors.writers()).toEqual(['a']))
    expect(await electors.record()).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15 })
  })

  it('one that names another holder ends the lead at the next look, and nobody leads for 15 s', async () => {
    const { electors } = await two()
    await merge(electors, { holderIdentity: 'x' })
    await electors.pass(2_000)
    await electors.pass(12_500, () => expect(electors.writers()).toEqual([]))
    await electors.pass(3_000)
    expect(electors.writers()).toHaveLength(1)
  })

  it.each([[-1], [1.5], ['7'], [2_147_483_647], [null]])('transitions of %j begin with 0 again', async (count) => {
    const electors = new Electors()
    const spec = { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: count }
    electors.cluster.seed([{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: OURS, spec }])
    electors.start('a')
    await electors.pass(100)
    expect(await electors.record()).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 })
  })

  it('a claim that was stored without an answer is found as our own', async () => {
    const electors = new Electors()
    const answers = [undefined, 'answer', undefined] as const
    let calls = 0
    electors.start('a', () => ({ there: 0, back: 0, ...(answers[calls++] && { loses: 'answer' }) }))
    await electors.pass(3_000)
    expect(electors.writers()).toEqual(['a'])
  })
})

const merge = (electors: Electors, spec: unknown) => electors.cluster.merge(LEASE, OURS, { spec })
const label = (electors: Electors) => electors.cluster.merge(LEASE, OURS, { metadata: { labels: { some: 'label' } } })
