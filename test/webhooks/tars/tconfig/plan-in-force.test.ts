import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/reconcile/controller.ts'
import { conclude, type GroupSeen, plan } from '../../../../webhooks/tars/tconfig/plan.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import {
  AT,
  config,
  doomed,
  ending,
  type MarkWishes,
  named,
  planned,
  refTo,
  secondsAgo,
  seenOf,
} from '../../../support/builders/marked-configs.ts'

describe('TC-R3 of several in force one stays', () => {
  const at = (activatedAt: string, more: MarkWishes = {}) => ({ activatedAt, ...more })
  it.each([
    { name: 'the one that was activated last', low: at(secondsAgo(9)), high: at(secondsAgo(8)) },
    {
      name: 'whose time of activation is one',
      low: at('soon', { version: '20260101000001-1' }),
      high: at(secondsAgo(8)),
    },
    { name: 'then the newer version', low: { version: '20260101000000-f' }, high: { version: '20260101000001-1' } },
    { name: 'then the one that was created last', low: { created: secondsAgo(9) }, high: { created: secondsAgo(8) } },
    { name: 'then the greater name', low: {}, high: {} },
    { name: 'of versions that are none the greater name', low: { version: 'x' }, high: { version: 'a' } },
  ])('$name', ({ low, high }) => {
    const [one, other] = [config('a', low), config('b', high)]
    for (const members of [
      [one, other],
      [other, one],
    ])
      expect(planned(seenOf(members))).toEqual(['deactivate a (TC-R3)'])
    const tie = { low: config('b', low), high: config('a', high) }
    if (JSON.stringify(low) !== JSON.stringify(high) && high.version !== 'a')
      expect(planned(seenOf([tie.low, tie.high]))).toEqual(['deactivate b (TC-R3)'])
  })
  it('one alone stays, and none of another state counts', () => {
    expect(planned(seenOf([config('a'), config('b', { activated: false })]))).toEqual([])
    expect(planned(seenOf([config('a'), config('b', { going: true })]))).toEqual([])
  })
})

describe('TC-R4 the history', () => {
  const version = (digits: number) => `2026010100${String(digits).padStart(4, '0')}-1`
  const inactive = (name: string, digits: number, more: MarkWishes = {}) =>
    config(name, { activated: false, version: version(digits), ...more })
  const many = (count: number) => Array.from({ length: count }, (_, i) => inactive(`h${i}`, i + 1))
  it.each([
    {
      name: 'of the limit stays, the one in force beside it',
      members: [config('now', { version: version(0) }), ...many(10)],
      does: [],
    },
    {
      name: 'beyond it loses its oldest, never the one in force',
      members: [config('now', { version: version(0) }), ...many(12)],
      does: ['remove h0 (TC-R4)', 'remove h1 (TC-R4)'],
    },
    {
      name: 'is ordered by the digits of the version, not by its checksum',
      members: [...many(10), config('z', { activated: false, version: '20250101000000-ffffffff' })],
      does: ['remove z (TC-R4)'],
    },
    {
      name: 'then by the time of creation',
      members: [...many(9), inactive('b', 0, { created: secondsAgo(9) }), inactive('a', 0, { created: secondsAgo(8) })],
      does: ['remove b (TC-R4)'],
    },
    { name: 'then by name', members: [...many(9), inactive('b', 0), inactive('a', 0)], does: ['remove a (TC-R4)'] },
    {
      name: 'does not count what is marked',
      members: [...many(10), ending('m', { activated: false, version: version(0) })],
      does: ['deactivate m (TC-R1)'],
    },
    { name: 'does not count what goes anyway', members: [...many(10), doomed('x')], does: ['remove x (TC-R2)'] },
  ])('$name', ({ members, does }) => expect(planned(seenOf(members))).toEqual(does))
  it('is removed in the version that was read, so what is activated meanwhile stays', () => {
    expect(plan(seenOf(many(11)), { at: AT }).actions).toEqual([{ do: 'remove', ...refTo('h0'), because: 'TC-R4' }])
  })
})

describe('the events', () => {
  const about = (name: string) => ({ about: { of: TCONFIG, ref: { namespace: 'demo', name }, uid: `uid-of-${name}` } })
  const concluded = (seen: GroupSeen, outcome: 'done' | 'overtaken'): Plan =>
    conclude(
      seen,
      plan(seen, { at: AT }).actions.map((action) => ({ action, outcome })),
    )
  const back = seenOf([ending('v1', { markedAt: secondsAgo(31) })])
  const kept = seenOf([doomed('v1', { markedAt: secondsAgo(31), by: 'v2' })], { markers: named(config('v2')) })
  it.each([
    { rule: 'TC-R1', seen: back, reason: 'DeactivateCancelled' },
    { rule: 'TC-R2', seen: kept, reason: 'DeleteCancelled' },
  ])('$rule: $reason tells of what was written, and of nothing else', ({ seen, reason }) => {
    const notice = { type: 'Normal', reason, message: expect.stringContaining('stays'), ...about('v1') }
    expect(concluded(seen, 'done')).toEqual({ actions: [], notices: [notice] })
    expect(concluded(seen, 'overtaken')).toEqual({ actions: [] })
    expect(concluded(seenOf([ending('v1')]), 'done')).toEqual({ actions: [] })
  })
  it('TC-R5: OrphanNodeConfig names what lacks its master, and nothing is deleted', () => {
    const orphan = config('p3', { podSeq: '3' })
    expect(plan(seenOf([], { orphan }), { at: AT })).toEqual({
      actions: [],
      notices: [
        {
          type: 'Warning',
          reason: 'OrphanNodeConfig',
          message: 'no active master configuration Demo.Echo/echo.conf; create or activate one, with podSeq m (TC-R5)',
          ...about('p3'),
        },
      ],
    })
  })
})
