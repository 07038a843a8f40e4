import { describe, expect, it } from 'vitest'
import type { Call } from '../../../../support/fakes/api-server.ts'
import {
  clock,
  FIRST_BACK_OFF,
  failures,
  GADGETS,
  gadget,
  lines,
  listed,
  pageOf,
  reflector,
  reported,
  running,
  server,
  watching,
} from './reflector-on-script.ts'

const TOO_LARGE = 32 * 1024 * 1024 + 1

describe('the list', () => {
  it('is as of now, comes in pages of 500, and is told when it is whole', async () => {
    const first = await server.next()
    expect(first).toMatchObject({ path: GADGETS, query: { limit: '500' } })
    expect(first.query).not.toHaveProperty('resourceVersion')
    first.json(200, pageOf('100', ['a', 'b'], 'more'))
    const second = await server.next()
    expect(second.query).toEqual({ limit: '500', continue: 'more' })
    expect(reported.notes).toEqual([])
    expect(reflector.hasSynced).toBe(false)
    second.json(200, pageOf('100', ['c']))
    await reflector.synced
    expect(reported.notes).toEqual(['list a b c'])
  })

  it('begins anew when its continue token has expired', async () => {
    const first = await server.next()
    first.json(200, pageOf('100', ['a'], 'more'))
    const second = await server.next()
    second.status(410, 'Expired')
    await clock.pass(FIRST_BACK_OFF)
    const again = await server.next()
    expect(again.query).toEqual({ limit: '500' })
    again.json(200, pageOf('120', ['a', 'b']))
    await reflector.synced
    expect(reported.notes).toEqual(['list a b'])
  })

  it('is tried again and again, each time after twice the time, up to three seconds', async () => {
    for (const ms of [100, 200, 400, 800, 1_500, 1_500, 1_500]) {
      const call = await server.next()
      call.status(500, 'InternalError')
      await clock.pass(ms)
    }
    const call = await server.next()
    call.json(200, pageOf('100', []))
    await reflector.synced
  })

  it('is not empty because something else answered', async () => {
    await listed('100', ['a'])
    const watch = await server.next()
    watch.status(410, 'Expired')
    const list = await server.next()
    list.text(200, '<html>')
    await clock.pass(FIRST_BACK_OFF)
    await listed('200', ['a'])
    await reported.heard('list a')
    expect(reported.notes).not.toContain('list')
  })

  it.each([
    { name: 'breaks in the middle of a page', go: (page: Call) => page.stream().raw('{"items":[') },
    { name: 'breaks between two pages', go: () => {} },
  ])('that $name asks for that page once more', async ({ go }) => {
    const first = await server.next()
    first.json(200, pageOf('100', ['a'], 'more'))
    const second = await server.next()
    go(second)
    second.reset()
    const again = await server.next()
    expect(again.query).toEqual({ limit: '500', continue: 'more' })
    again.json(200, pageOf('100', ['b']))
    await reported.heard('list a b')
  })

  it('begins anew when a page trickles for a minute', async () => {
    const first = await server.next()
    const page = first.stream()
    page.raw('{"items":[')
    for (let seconds = 0; seconds < 60; seconds += 10) {
      page.raw(' ')
      clock.advance(10_000)
    }
    await first.closed
    await clock.pass(FIRST_BACK_OFF)
    await listed('100', ['a'])
    await reported.heard('list a')
  })

  it('is none when a page continues with itself', async () => {
    const first = await server.next()
    first.json(200, pageOf('100', ['a'], 'same'))
    const second = await server.next()
    second.json(200, pageOf('100', ['a'], 'same'))
    await clock.pass(FIRST_BACK_OFF)
    await listed('100', ['a'])
    await reported.heard('list a')
  })

  it('of a resource that goes between two pages is empty', async () => {
    const first = await server.next()
    first.json(200, pageOf('100', ['a'], 'more'))
    const second = await server.next()
    second.text(404, '404 page not found\n')
    await reflector.synced
    expect(reported.notes).toEqual(['list'])
  })

  it('has smaller pages from when one of 500 objects was too large', async () => {
    for (const limit of ['500', '63']) {
      const call = await server.next()
      expect(call.query).toEqual({ limit })
      call.text(200, 'x'.repeat(TOO_LARGE))
    }
    const call = await server.next()
    expect(call.query).toEqual({ limit: '8' })
    call.json(200, pageOf('100', ['a'], 'more'))
    const next = await server.next()
    expect(next.query).toEqual({ limit: '8', continue: 'more' })
    next.json(200, pageOf('100', ['b']))
    await reported.heard('list a b')
  })

  it('is waited for a little differently by each replica', async () => {
    clock.chance = 0.5
    const call = await server.next()
    call.status(403, 'Forbidden')
    await clock.pass(150)
    await server.next()
  })

  it('NC-MOD-04 of a resource that is not known is empty, and looked for again each half minute at least, which is said once', async () => {
    for (const ms of [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      const call = await server.next()
      call.text(404, '404 page not found\n')
      await reflector.synced
      await clock.pass(ms)
    }
    const call = await server.next()
    call.json(200, pageOf('100', ['a']))
    await reported.heard('list a')
    expect(lines.filter((line) => line.includes('not known to the API server yet'))).toHaveLength(1)
  })
})

describe('a handler that fails', () => {
  it.each([
    {
      name: 'by throwing',
      fail: () => {
        throw new Error('in the handler')
      },
    },
    { name: 'later', fail: () => Promise.reject(new Error('in the handler')) },
  ])('$name is counted, and hears what comes next', async ({ fail }) => {
    const { stream } = await watching()
    reported.before = fail
    stream.event('ADDED', gadget('b', '101'))
    await reported.heard('put b@101')
    reported.before = () => {}
    stream.event('ADDED', gadget('c', '102'))
    await reported.heard('put c@102')
    expect(failures).toMatchObject([{ message: 'in the handler' }])
  })

  it('does not keep a list from being one', async () => {
    reported.before = () => {
      throw new Error('in the handler')
    }
    await listed('100', ['a'])
    await reflector.synced
    expect(failures).toMatchObject([{ message: 'in the handler' }])
  })
})

describe('age', () => {
  it('is the time since a list, an event or a bookmark', async () => {
    clock.advance(5_000)
    expect(reflector.ageMs).toBe(5_000)
    const { stream } = await watching()
    expect(reflector.ageMs).toBe(0)
    clock.advance(30_000)
    expect(reflector.ageMs).toBe(30_000)
    stream.event('BOOKMARK', gadget('', '110'))
    stream.event('ADDED', gadget('b', '111'))
    await reported.heard('put b@111')
    expect(reflector.ageMs).toBe(0)
  })

  it('grows while watches can be opened but tell nothing', async () => {
    const { stream } = await watching()
    clock.advance(30_000)
    stream.end()
    const next = await server.next()
    next.stream()
    expect(reflector.ageMs).toBe(30_000)
    expect(reflector.hasSynced).toBe(true)
  })
})

it('what is stopped asks no more, and waits for nothing', async () => {
  const { watch } = await watching()
  reflector.stop()
  await watch.closed
  await running
  expect(clock.isWaitedFor).toBe(false)
})
