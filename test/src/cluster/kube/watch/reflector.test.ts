import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Reflector } from '../../../../../src/cluster/kube/watch/reflector.ts'
import { collectionSource } from '../../../../../src/cluster/kube/watch/source.ts'
import { type Connection, connect } from '../../../../../src/cluster/kube/wire/connection.ts'
import { logTo } from '../../../../../src/telemetry/log.ts'
import { GADGET } from '../../../../support/builders/gadget.ts'
import {
  type ApiServer,
  type Call,
  isNoWatch,
  isWatch,
  type Stream,
  scriptedApiServer,
  statusOf,
} from '../../../../support/fakes/api-server.ts'
import { ManualClock } from '../../../../support/fakes/clock.ts'
import { Recorder } from '../../../../support/fakes/recorder.ts'

const QUIET = logTo({ write: () => {} }, 'silent')
const GADGETS = '/apis/test.tars.io/v1/gadgets'
/** Jitter at its least halves each of them. */
const FIRST_BACK_OFF = 100
const SILENCE = 90_000
const UNTIL_HEAD = 10_000
const TOO_LARGE = 32 * 1024 * 1024 + 1

let server: ApiServer
let clock: ManualClock
let connection: Connection
let reported: Recorder
let failures: unknown[]
let relists: number
let reflector: Reflector
let running: Promise<void>

beforeEach(async () => {
  server = await scriptedApiServer()
  clock = new ManualClock()
  connection = await connect(server.kubeconfig(), clock)
  reported = new Recorder()
  failures = []
  relists = 0
  reflector = new Reflector({
    kind: 'Gadget',
    source: collectionSource(connection, GADGET),
    sink: reported,
    clock,
    log: QUIET,
    sinkFailed: (cause) => failures.push(cause),
    relisted: () => {
      relists += 1
    },
  })
  running = reflector.run()
})
afterEach(async () => {
  reflector.stop()
  await running
  connection.stop()
  await server.stop()
})

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

  it('of a resource that is not known is empty, and looked for again each half minute at least', async () => {
    for (const ms of [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      const call = await server.next()
      call.text(404, '404 page not found\n')
      await reflector.synced
      await clock.pass(ms)
    }
    const call = await server.next()
    call.json(200, pageOf('100', ['a']))
    await reported.heard('list a')
  })
})

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

  it('whose version is too old before it begins is followed by a list', async () => {
    await listed('100', ['a'])
    const watch = await server.next()
    watch.status(410, 'Expired')
    await listed('200', ['b'])
    await reported.heard('list b')
    const next = await server.next()
    expect(next.query).toMatchObject({ watch: '1', resourceVersion: '200' })
  })

  it('whose version becomes too old on the way is followed by a list', async () => {
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

  it('that is silent for 90 s is taken for dead, and followed by a list, whatever became of the store', async () => {
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

async function listed(version: string, names: readonly string[]): Promise<void> {
  const call = await server.next()
  expect(call.query).not.toHaveProperty('watch')
  call.json(200, pageOf(version, names))
}

async function watching() {
  await listed('100', ['a'])
  const watch = await server.next()
  expect(watch.query).toMatchObject({ watch: '1', resourceVersion: '100' })
  const stream = watch.stream()
  await clock.notWaitedFor(UNTIL_HEAD) // it has arrived
  return { watch, stream, reset: () => watch.reset() }
}

function pageOf(version: string, names: readonly string[], next?: string) {
  const items = names.map((name) => gadget(name, version))
  return { kind: 'GadgetList', metadata: { resourceVersion: version, ...(next && { continue: next }) }, items }
}

function gadget(name: string, resourceVersion: string) {
  return { apiVersion: 'test.tars.io/v1', kind: 'Gadget', metadata: { name, namespace: 'demo', resourceVersion } }
}

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

/** What is asked after an outage: at which version the store is. */
async function looked(version: string): Promise<void> {
  const look = await server.next()
  expect(look).toMatchObject({ path: GADGETS, query: { limit: '1' } })
  look.json(200, pageOf(version, ['a'], 'more'))
}

function listsIn({ notes }: Recorder): number {
  return notes.filter((note) => note.startsWith('list')).length
}
