import { describe, expect, it } from 'vitest'
import type { Built } from '../../../src/cluster/port.ts'
import { Feed, type FeedChange } from '../../../src/reconcile/feed.ts'

const note = (name: string, uid: string, resourceVersion: string): Built => ({
  metadata: { namespace: 'demo', name, uid, resourceVersion },
})
const A1 = note('a', 'a', '1')
const A2 = note('a', 'a', '2')
const OTHER_A = note('a', 'other', '3')
const B1 = note('b', 'b', '1')

function told(act: (feed: Feed) => void) {
  const changes: (FeedChange | 'listed')[] = []
  const feed = new Feed({ changed: (change) => changes.push(change), listed: () => changes.push('listed') })
  list(feed, A1)
  changes.splice(0)
  act(feed)
  return changes
}
function list(feed: Feed, ...objects: readonly Built[]): void {
  feed.begin()
  feed.add(objects)
  feed.done()
}

describe('WK-8 a feed tells each change with the state before it', () => {
  it.each<{ name: string; act: (feed: Feed) => void; changes: readonly (FeedChange | 'listed')[] }>([
    { name: 'an object comes', act: (feed) => feed.put(B1), changes: [{ before: undefined, now: B1 }] },
    { name: 'it changes', act: (feed) => feed.put(A2), changes: [{ before: A1, now: A2 }] },
    { name: 'it goes, in its last state', act: (feed) => feed.remove(A2), changes: [{ before: A1, gone: A2 }] },
    {
      name: 'one goes that was never told of',
      act: (feed) => feed.remove(B1),
      changes: [{ before: undefined, gone: B1 }],
    },
    {
      name: 'another one has its name',
      act: (feed) => feed.put(OTHER_A),
      changes: [{ before: A1, now: OTHER_A, gone: A1 }],
    },
    { name: 'a list without a change', act: (feed) => list(feed, A1), changes: ['listed'] },
    { name: 'a list in which it changed', act: (feed) => list(feed, A2), changes: [{ before: A1, now: A2 }, 'listed'] },
    {
      name: 'a list without it',
      act: (feed) => list(feed, B1),
      changes: [{ gone: A1 }, { before: undefined, now: B1 }, 'listed'],
    },
    {
      name: 'a list with another one of its name',
      act: (feed) => list(feed, OTHER_A),
      changes: [{ before: A1, now: OTHER_A, gone: A1 }, 'listed'],
    },
  ])('$name', ({ act, changes }) => {
    expect(told(act)).toEqual(changes)
  })

  it('and a follower of one object hears of its changes alone, until it stops', () => {
    let looks = 0
    told((feed) => {
      const stop = feed.follow({ namespace: 'demo', name: 'a' }, () => {
        looks += 1
      })
      feed.put(A2)
      feed.put(B1)
      feed.remove(A2)
      stop()
      feed.put(A1)
    })
    expect(looks).toBe(2)
  })
})
