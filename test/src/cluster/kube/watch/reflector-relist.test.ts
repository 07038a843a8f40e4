import { describe, expect, it } from 'vitest'
import { isNoWatch, isWatch, statusOf } from '../../../../support/fakes/api-server.ts'
import { clock, gadget, listed, looked, relists, reported, server, watching } from './reflector-on-script.ts'

describe('the watch', () => {
  it('whose version is too old before it begins is followed by a list', async () => {
    await listed('100', ['a'])
    const watch = await server.next()
    watch.status(410, 'Expired')
    await listed('200', ['b'])
    await reported.heard('list b')
    const next = await server.next()
    expect(next.query).toMatchObject({ watch: '1', resourceVersion: '200' })
  })

  it('NC-WCH-14 whose version becomes too old on the way is followed by a list', async () => {
    const { stream } = await watching()
    stream.event('ERROR', statusOf(410, 'Expired'))
    await listed('200', ['b'])
    await reported.heard('list b')
  })

  it('of a store that was put back to before is followed by a list, once', async () => {
    await outage(async () => {
      await looked('99')
      await listed('99', ['old'])
    })
    await reported.heard('list old')
    const watch = await server.next()
    expect(watch.query).toMatchObject({ watch: '1', resourceVersion: '99' })
    expect(relists).toBe(1)
  })

  it('of a store that was put back, and is past our version again, is followed by a list after ten seconds', async () => {
    await outage(async () => {
      await looked('1100')
      await listed('1100', ['old'])
    }, [...SHORT_OUTAGE, 1_500, 1_500])
    await reported.heard('list old')
    const watch = await server.next()
    expect(watch.query).toMatchObject({ watch: '1', resourceVersion: '1100' })
    expect(relists).toBe(1)
  })

  it('goes on without a list after less than ten seconds, each time anew', async () => {
    await outage(() => looked('1100'))
    for (let times = 0; times < 3; times += 1) {
      const watch = await server.next(isWatch)
      expect(watch.query).toMatchObject({ resourceVersion: '101' })
      watch.status(503, 'ServiceUnavailable')
      await clock.pass(1_500)
      await looked('1100')
    }
    await server.next(isWatch)
    expect(relists).toBe(0)
  })

  it('of a store that was emptied, CRD and all, is followed by a list, which is empty', async () => {
    await outage(async () => {
      for (let times = 0; times < 2; times++) (await server.next(isNoWatch)).text(404, '404 page not found\n')
    })
    await reported.heard('list')
  })

  it('whose version is too old after an outage is followed by a list at once', async () => {
    await outage(async () => {
      await looked('5000')
      const watch = await server.next(isWatch)
      watch.status(410, 'Expired')
      await listed('5000', ['c'])
    })
    await reported.heard('list c')
  })

  it('that goes back to lower versions is followed by a list', async () => {
    const { stream } = await watching()
    stream.event('ADDED', gadget('b', '101'))
    stream.event('ADDED', gadget('c', '17'))
    await listed('18', ['c'])
    await reported.heard('list c')
    expect(reported.notes).not.toContain('put c@17')
  })

  it('that is one too many is opened again when the API server says', async () => {
    await listed('100', [])
    const watch = await server.next()
    watch.status(429, 'TooManyRequests', {}, { 'retry-after': '3' })
    await clock.pass(3_000)
    const next = await server.next()
    expect(next.query).toMatchObject({ watch: '1', resourceVersion: '100' })
  })

  it('whose version is too old as soon as it was listed does not list without end', async () => {
    await listed('100', [])
    const first = await server.next(isWatch)
    first.status(410, 'Expired')
    await listed('200', [])
    const second = await server.next(isWatch)
    second.status(410, 'Expired')
    await clock.pass(400)
    await listed('300', [])
  })

  it('of a resource that is not known any more is followed by a list, which is empty', async () => {
    await listed('100', ['a'])
    const watch = await server.next()
    watch.text(404, '404 page not found\n')
    const list = await server.next()
    list.text(404, '404 page not found\n')
    await reported.heard('list')
  })
})

const SHORT_OUTAGE = [100, 200, 400, 800, 1_500, 1_500, 1_500]

/** A watch that got as far as 101 breaks; nobody answers, as often as there are pauses, and for 1.5 s more. */
async function outage(after: () => Promise<void>, pauses: readonly number[] = SHORT_OUTAGE): Promise<void> {
  const { stream, reset } = await watching()
  stream.event('ADDED', gadget('b', '101'))
  await reported.heard('put b@101')
  reset()
  for (const ms of pauses) {
    await clock.pass(ms)
    const look = await server.next()
    look.status(503, 'ServiceUnavailable')
  }
  await clock.pass(1_500)
  await after()
}
