import { describe, expect, it } from 'vitest'
import { plan } from '../../../../webhooks/tars/tconfig/plan.ts'
import { DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import {
  AT,
  config,
  doomed,
  ending,
  named,
  planned,
  refTo,
  secondsAgo,
  seenOf,
} from '../../../support/builders/marked-configs.ts'

describe('TC-R1 what is marked to be deactivated', () => {
  it.each([
    {
      name: 'ends for the version in force',
      members: [ending('v1', { markedAt: secondsAgo(1) }), config('v2')],
      does: ['deactivate v1 (TC-R1)'],
    },
    {
      name: 'waits while none is in force',
      members: [ending('v1', { markedAt: secondsAgo(1) })],
      does: ['again in 29000 ms'],
    },
    {
      name: 'comes back after the grace time',
      members: [ending('v1', { markedAt: secondsAgo(30) })],
      does: ['keep v1 (TC-R1)'],
    },
    { name: 'ends literally when no time says since when', members: [ending('v1')], does: ['deactivate v1 (TC-R1)'] },
    {
      name: 'and with the older of both labels alone',
      members: [ending('v1', { labels: { 'tars.io/Deactivate': '' } })],
      does: ['deactivate v1 (TC-R1)'],
    },
    {
      name: 'loses its mark at once if it is out of force',
      members: [ending('v1', { markedAt: secondsAgo(1), activated: false })],
      does: ['deactivate v1 (TC-R1)'],
    },
    {
      name: 'waits for a version that is marked, too',
      members: [
        ending('v1', { markedAt: secondsAgo(40), activatedAt: secondsAgo(90) }),
        ending('v2', { markedAt: secondsAgo(10), activatedAt: secondsAgo(40) }),
      ],
      does: ['again in 20000 ms'],
    },
    {
      name: 'comes back alone if several are marked: the latest',
      members: [
        ending('v1', { markedAt: secondsAgo(50), activatedAt: secondsAgo(90) }),
        ending('v2', { markedAt: secondsAgo(40), activatedAt: secondsAgo(50) }),
      ],
      does: ['keep v2 (TC-R1)'],
    },
    {
      name: 'is not saved by a version that is to be deleted',
      members: [ending('v1', { markedAt: secondsAgo(1) }), doomed('v2', { activated: true })],
      does: ['remove v2 (TC-R2)', 'again in 29000 ms'],
    },
  ])('$name', ({ members, does }) => expect(planned(seenOf(members))).toEqual(does))

  it.each([
    { name: 'a clock that is ahead', markedAt: secondsAgo(-5), does: ['again in 35000 ms'] },
    { name: 'the year 9999', markedAt: '9999-12-31T23:59:59Z', does: ['keep v1 (TC-R1)'] },
    { name: 'a clock that is far behind', markedAt: '1970-01-01T00:00:00Z', does: ['keep v1 (TC-R1)'] },
    { name: 'no time', markedAt: 'yesterday', does: ['keep v1 (TC-R1)'] },
    { name: 'a very long text', markedAt: '2026-11-18'.padEnd(200_000, ' '), does: ['keep v1 (TC-R1)'] },
  ])('is never waited for without end, and never lost: $name', ({ markedAt, does }) => {
    expect(planned(seenOf([ending('v1', { markedAt })]))).toEqual(does)
  })

  it('is deactivated in one patch of the object that was read, and comes back in one', () => {
    const labels = { 'tars.io/Deactivate': null, 'tars.io/Deactivating': null }
    const annotations = { 'tars.io/MarkedAt': null, 'tars.io/MarkedBy': null, 'tars.io/MarkedByUid': null }
    const patch = { activated: false, metadata: { labels: { 'tars.io/Activated': 'false', ...labels }, annotations } }
    expect(plan(seenOf([ending('v1')]), { at: AT }).actions).toEqual([
      { do: 'merge', ...refTo('v1'), patch, because: 'TC-R1' },
    ])
    const back = plan(seenOf([ending('v1', { markedAt: secondsAgo(31) })]), { at: AT }).actions
    expect(back).toMatchObject([{ do: 'merge', ...refTo('v1'), patch: { metadata: { labels, annotations } } }])
  })
})

describe('TC-R2 what is marked to be deleted', () => {
  const v2 = config('v2')
  const marked = doomed('v1', { markedAt: secondsAgo(1), by: 'v2' })
  const old = doomed('v1', { markedAt: secondsAgo(31), by: 'v2' })
  const byUid = doomed('v1', { markedAt: secondsAgo(1), by: 'v2', byUid: 'uid-of-v2' })
  it.each([
    { name: 'goes if nothing names who marked it', members: [doomed('v1')], there: [v2], does: ['remove v1 (TC-R2)'] },
    {
      name: 'goes if it is in force and marked by hand',
      members: [doomed('v1', { activated: true })],
      there: [],
      does: ['remove v1 (TC-R2)'],
    },
    { name: 'goes if who marked it is gone', members: [marked], there: [], does: ['remove v1 (TC-R2)'] },
    {
      name: 'goes if who marked it waits for its finalizers',
      members: [marked],
      there: [config('v2', { going: true })],
      does: ['remove v1 (TC-R2)'],
    },
    {
      name: 'goes if who marked it is out of force',
      members: [marked],
      there: [config('v2', { activated: false })],
      does: ['remove v1 (TC-R2)'],
    },
    {
      name: 'goes if a new one took the name of who marked it',
      members: [byUid],
      there: [config('v2', { uid: 'another' })],
      does: ['remove v1 (TC-R2)'],
    },
    {
      name: 'stays if who marked it is there, but out of force since: its deletion takes nothing along any more',
      members: [byUid],
      there: [config('v2', { activated: false })],
      does: ['keep v1 (TC-R2)'],
    },
    { name: 'waits while who marked it is in force', members: [marked], there: [v2], does: ['again in 29000 ms'] },
    { name: 'stays if that is so after the grace time', members: [old], there: [v2], does: ['keep v1 (TC-R2)'] },
    {
      name: 'stays if the mark is from the year 9999',
      members: [doomed('v1', { markedAt: '9999-12-31T00:00:00Z', by: 'v2' })],
      there: [v2],
      does: ['keep v1 (TC-R2)'],
    },
  ])('$name', ({ members, there, does }) => {
    expect(planned(seenOf(members, { markers: named(...there) }))).toEqual(does)
  })

  it('is removed in the version that was read', () => {
    expect(plan(seenOf([doomed('v1')]), { at: AT }).actions).toEqual([
      { do: 'remove', ...refTo('v1'), because: 'TC-R2' },
    ])
  })
  it('keeps the time of its other mark when it stays: that one is decided next', () => {
    const both = { ...DELETING, ...DEACTIVATING }
    const markers = named(v2)
    const members = [doomed('v1', { markedAt: secondsAgo(31), by: 'v2', activated: true, labels: both })]
    expect(plan(seenOf(members, { markers }), { at: AT }).actions).toMatchObject([
      { patch: { metadata: { labels: { 'tars.io/Deleting': null }, annotations: {} } } },
    ])
  })
})
