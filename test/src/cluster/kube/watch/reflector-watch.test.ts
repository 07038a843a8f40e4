import { describe, expect, it } from 'vitest'
import { type Stream, statusOf } from '../../../../support/fakes/api-server.ts'
import type { Recorder } from '../../../../support/fakes/recorder.ts'
import {
  clock,
  FIRST_BACK_OFF,
  GADGETS,
  gadget,
  listed,
  looked,
  reported,
  server,
  UNTIL_HEAD,
  watching,
} from './reflector-on-script.ts'

const SILENCE = 90_000

describe('the watch', () => {
  it('goes on from the list, wants bookmarks, and ends after some five to ten minutes', async () => {
    clock.chance = 0.999
    await listed('100', ['a'])
    const watch = await server.next()
    expect(watch).toMatchObject({
      path: GADGETS,
      query: { watch: '1', resourceVersion: '100', allowWatchBookmarks: 'true', timeoutSeconds: '590' },
    })
  })

  it('tells of what is written and what is deleted, in order', async () => {
    const { stream } = await watching()
    stream.event('ADDED', gadget('b', '101'))
    stream.event('MODIFIED', gadget('b', '102'))
    stream.event('DELETED', gadget('a', '103'))
    await reported.heard('remove a')
    expect(reported.notes).toEqual(['list a', 'put b@101', 'put b@102', 'remove a'])
  })

  it('reads events wherever they were cut, inside a letter too', async () => {
    const { stream } = await watching()
    const lines = [gadget('b', '101'), gadget('ä', '102')].map((object) => JSON.stringify({ type: 'ADDED', object }))
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    const insideTheLetter = bytes.indexOf('ä') + 1
    stream.raw(bytes.subarray(0, insideTheLetter))
    await reported.heard('put b@101')
    stream.raw(bytes.subarray(insideTheLetter))
    await reported.heard('put ä@102')
  })

  it.each([
    { name: 'an event', event: ['MODIFIED', gadget('a', '120')] },
    { name: 'a bookmark', event: ['BOOKMARK', gadget('', '120')] },
  ] as const)('that ended goes on at once from $name', async ({ event: [type, object] }) => {
    const { stream } = await watching()
    stream.event(type, object)
    stream.end()
    const next = await server.next()
    expect(next.query).toMatchObject({ watch: '1', resourceVersion: '120' })
    expect(listsIn(reported)).toBe(1)
  })

  it('that ended in its own time goes on at once, even if there was nothing to tell', async () => {
    const { stream } = await watching()
    clock.advance(60_000)
    stream.end()
    const next = await server.next()
    expect(next.query).toMatchObject({ watch: '1', resourceVersion: '100' })
  })

  it('that ended in its own time makes up for what failed before', async () => {
    await listed('100', ['a'])
    for (const ms of [100, 200]) {
      const watch = await server.next()
      watch.status(503, 'Unwilling')
      await clock.pass(ms)
      await looked('100')
    }
    const watch = await server.next()
    const stream = watch.stream()
    await clock.notWaitedFor(UNTIL_HEAD)
    clock.advance(60_000)
    stream.end()
    const next = await server.next()
    next.status(503, 'Unwilling')
    await clock.pass(FIRST_BACK_OFF)
    await server.next()
  })

  it('that ended as soon as it began does not go on at once', async () => {
    const { stream } = await watching()
    stream.end()
    await clock.pass(FIRST_BACK_OFF)
    const next = await server.next()
    expect(next.query).toMatchObject({ watch: '1', resourceVersion: '100' })
  })

  it.each([
    { name: 'breaks in the middle of an event', go: (_: Stream, reset: () => void) => reset(), half: '{"type":"ADD' },
    { name: 'breaks while nothing happens', go: (_: Stream, reset: () => void) => reset() },
    ...[500, 503, 504, 418].map((code) => ({
      name: `ends in an error ${code}`,
      go: (stream: Stream) => stream.event('ERROR', statusOf(code, 'TooLargeResourceVersion')),
    })),
    { name: 'ends in an error that is no status', go: (stream: Stream) => stream.event('ERROR', 'oops') },
    { name: 'tells of a version that is none', go: (stream: Stream) => stream.event('ADDED', gadget('c', '')) },
    { name: 'has a bookmark of no version', go: (stream: Stream) => stream.event('BOOKMARK', gadget('', '')) },
    { name: 'says what nobody knows', go: (stream: Stream) => stream.raw('[null, 7]\n') },
    { name: 'speaks no JSON', go: (stream: Stream) => stream.raw('{"type":\n') },
    { name: 'tells of no object', go: (stream: Stream) => stream.event('ADDED', null) },
  ])('that $name goes on from where it was, without a list', async ({ go, half = '' }) => {
    const { stream, reset } = await watching()
    stream.event('ADDED', gadget('b', '101'))
    stream.raw(half)
    await reported.heard('put b@101')
    go(stream, reset)
    await clock.pass(FIRST_BACK_OFF)
    await looked('105')
    const next = await server.next()
    expect(next.query).toMatchObject({ watch: '1', resourceVersion: '101' })
    expect(listsIn(reported)).toBe(1)
  })

  it.each([
    { name: 'refused', status: 403 },
    { name: 'one too many', status: 429 },
    { name: 'met by a server on its way down', status: 503 },
  ])('that is $name is opened again later, without a list', async ({ status }) => {
    await listed('100', [])
    const watch = await server.next()
    watch.status(status, 'Unwilling')
    await clock.pass(FIRST_BACK_OFF)
    await looked('100')
    const next = await server.next()
    expect(next.query).toMatchObject({ watch: '1', resourceVersion: '100' })
  })

  it('NC-WCH-14 that is silent for 90 s is taken for dead, and followed by a list, whatever became of the store', async () => {
    const { watch } = await watching()
    clock.advance(SILENCE)
    await watch.closed
    await clock.pass(FIRST_BACK_OFF)
    await looked('1100')
    await listed('1100', ['b'])
    await reported.heard('list b')
  })

  it('that is never answered is taken for dead as well', async () => {
    await listed('100', [])
    const watch = await server.next()
    clock.advance(SILENCE)
    await watch.closed
  })

  it('lives on bookmarks', async () => {
    const { stream } = await watching()
    for (const version of ['110', '120', '130']) {
      clock.advance(61_000)
      stream.event('BOOKMARK', gadget('', version))
      stream.event('ADDED', gadget('a', version))
      await reported.heard(`put a@${version}`)
    }
    expect(clock.tick()).toBeGreaterThan(SILENCE)
  })
})

function listsIn({ notes }: Recorder): number {
  return notes.filter((note) => note.startsWith('list')).length
}
