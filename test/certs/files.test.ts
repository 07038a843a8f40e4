import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type FilesParts, filesSource } from '../../certs/files.ts'
import { type Laid, type PairReading, standingIn, watchFolder } from '../../certs/folder.ts'
import type { ServingPair } from '../../certs/pair.ts'
import { Fault } from '../../src/faults.ts'
import { type Metrics, metricsOf } from '../../src/process/metrics.ts'
import { ManualClock } from '../support/fakes/clock.ts'
import { folderOf } from '../support/folders.ts'
import { type Notes, notes } from '../support/notes.ts'
import { DAY, filesOf, overwrite, pairOf, SECOND, WAYS } from './laid-files.ts'

const now = new Date()

let one: Laid
let other: Laid
let expired: Laid
beforeAll(async () => {
  one = await pairOf(now)
  other = await pairOf(now)
  expired = await pairOf(new Date(now.getTime() - 31 * DAY))
})

let clock: ManualClock
let log: Notes
let metrics: Metrics
beforeEach(() => {
  clock = new ManualClock(now)
  log = notes()
  metrics = metricsOf()
})

/** Reads as the source does, and knows when what was read has had its effect. */
let readings: { readonly read: typeof standingIn; readonly until: (count: number) => Promise<void>; count: number }
beforeEach(() => {
  const waiting = new Set<() => void>()
  readings = {
    count: 0,
    async read(folder) {
      try {
        return await standingIn(folder)
      } finally {
        setImmediate(() => {
          readings.count += 1
          for (const look of waiting) look()
        })
      }
    },
    until(count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => readings.count >= count && resolve()
      waiting.add(look)
      look()
      return promise
    },
  }
})
/** A second passes, and what is looked at then has been seen. */
function looked(): Promise<void> {
  const seen = readings.until(readings.count + 1)
  clock.advance(SECOND)
  return seen
}

interface Running {
  readonly folder: string
  readonly served: () => Laid
  /** The next pair that is told of. */
  readonly next: () => Promise<ServingPair>
}

async function runningOn(lay: (folder: string, laid: Laid) => void, more: Partial<FilesParts> = {}): Promise<Running> {
  const folder = folderOf()
  lay(folder, one)
  const source = await filesSource({ folder, clock, log, metrics, read: readings.read, ...more })
  onTestFinished(() => source.stop())
  let tell: (pair: ServingPair) => void = () => {}
  source.onRenewed((pair) => tell(pair))
  await readings.until(2)
  const next = () => new Promise<ServingPair>((resolve) => (tell = resolve))
  return { folder, served: () => source.current(), next }
}

describe.each(WAYS)('files that $name (CT-3)', ({ lay }) => {
  it('are taken up as soon as the file system tells, and the clock stands still', async () => {
    const { folder, next, served } = await runningOn(lay)
    const renewed = next()
    lay(folder, other)
    expect(await renewed).toMatchObject({ ...other, notAfter: expect.any(Date) })
    expect(served()).toMatchObject(other)
  })

  it('are found within a second where no file system tells', async () => {
    const { folder, next } = await runningOn(lay, { watch: () => () => {} })
    const renewed = next()
    lay(folder, other)
    await clock.pass(SECOND)
    expect(await renewed).toMatchObject(other)
  })

  it('are followed from pair to pair', async () => {
    const { folder, next } = await runningOn(lay)
    for (const laid of [other, one, other, one]) {
      const renewed = next()
      lay(folder, laid)
      expect(await renewed).toMatchObject(laid)
    }
  })
})

describe('what is not whole', () => {
  const CASES: readonly { name: string; spoil: (folder: string) => void; says: RegExp }[] = [
    {
      name: 'a new certificate with the old key',
      spoil: (folder) => writeFileSync(join(folder, 'tls.crt'), other.cert),
      says: /is not the key of tls\.crt/,
    },
    {
      name: 'a new key with the old certificate',
      spoil: (folder) => writeFileSync(join(folder, 'tls.key'), other.key),
      says: /is not the key of tls\.crt/,
    },
    {
      name: 'a half-written certificate',
      spoil: (folder) => writeFileSync(join(folder, 'tls.crt'), other.cert.slice(0, 200)),
      says: /tls\.crt in .+ is not a certificate/,
    },
    {
      name: 'an expired pair',
      spoil: (folder) => overwrite(folder, expired),
      says: /tls\.crt in .+ has expired on/,
    },
    { name: 'a missing key', spoil: (folder) => rmSync(join(folder, 'tls.key')), says: /tls\.key cannot be read/ },
    {
      name: 'an emptied folder',
      spoil: (folder) => rmSync(folder, { recursive: true }),
      says: /tls\.crt cannot be read/,
    },
  ]

  it.each(CASES)('$name: the last good pair is served on, which is told once', async ({ spoil, says }) => {
    const { folder, served } = await runningOn(overwrite, { watch: () => () => {} })
    spoil(folder)
    for (let looks = 0; looks < 5; looks += 1) await looked()
    expect(served()).toMatchObject(one)
    expect(log.lines).toEqual([
      expect.objectContaining({ msg: 'no new serving pair', file: folder, reason: expect.stringMatching(says) }),
    ])
    expect(await failures()).toBe(1)
  })

  it.each(CASES)(
    '$name is forgotten when the new pair is whole, and told anew when it comes again',
    async ({ spoil }) => {
      const { folder, next } = await runningOn(overwrite, { watch: () => () => {} })
      spoil(folder)
      for (let looks = 0; looks < 3; looks += 1) await looked()
      const renewed = next()
      overwrite(folder, other)
      await looked()
      expect(await renewed).toMatchObject(other)
      overwrite(folder, one)
      await looked()
      spoil(folder)
      for (let looks = 0; looks < 3; looks += 1) await looked()
      expect(await failures()).toBe(2)
    },
  )

  it('for a moment alone is no trouble: files are laid down one after the other', async () => {
    const { folder, next } = await runningOn(overwrite, { watch: () => () => {} })
    writeFileSync(join(folder, 'tls.crt'), other.cert)
    await looked()
    const renewed = next()
    overwrite(folder, other)
    await looked()
    expect(await renewed).toMatchObject(other)
    expect([log.lines, await failures()]).toEqual([[], undefined])
  })

  it('and then wrong in another way is told again', async () => {
    const { folder } = await runningOn(overwrite, { watch: () => () => {} })
    writeFileSync(join(folder, 'tls.crt'), 'x')
    for (let looks = 0; looks < 3; looks += 1) await looked()
    rmSync(join(folder, 'tls.crt'))
    for (let looks = 0; looks < 3; looks += 1) await looked()
    expect(await failures()).toBe(2)
  })
})

it('a CA that changes alone is told of, for the webhook configurations', async () => {
  const { folder, next } = await runningOn(overwrite)
  const renewed = next()
  writeFileSync(join(folder, 'ca.crt'), one.ca + other.ca)
  expect(await renewed).toMatchObject({ cert: one.cert, ca: one.ca + other.ca })
})

it('what else goes on in the folder is not told of', async () => {
  const folder = folderOf()
  const reported = Promise.withResolvers<void>()
  let count = 0
  const unwatch = watchFolder(folder, () => {
    count += 1
    setImmediate(reported.resolve) // all that happened at once is told at once
  })
  for (let i = 0; i < 20; i += 1) writeFileSync(join(folder, `other-${i}`), '')
  writeFileSync(join(folder, 'ca.crt'), '')
  await reported.promise
  unwatch()
  expect(count).toBeLessThan(5)
})

it('nothing is looked at any more once it is stopped', async () => {
  const folder = folderOf(filesOf(one))
  const source = await filesSource({ folder, clock, log, metrics })
  source.stop()
  overwrite(folder, other)
  clock.advance(10 * SECOND)
  expect(clock.isWaitedFor).toBe(false)
  expect(source.current()).toMatchObject(one)
})

describe('a reading', () => {
  const laid = (cert: string, key: string): Laid => ({ cert, key, ca: 'a' })
  const inTurn = (...readings: readonly PairReading[]) => {
    const left = [...readings]
    return async () => left.shift() ?? readings.at(-1) ?? laid('', '')
  }
  it.each([
    { name: 'the same twice', readings: [laid('1', '1')], is: laid('1', '1') },
    { name: 'across an exchange', readings: [laid('1', '2'), laid('2', '2'), laid('2', '2')], is: laid('2', '2') },
    { name: 'of a folder just removed', readings: [missing('x'), laid('2', '2'), laid('2', '2')], is: laid('2', '2') },
  ])('counts when the next one is alike: $name', async ({ readings, is }) => {
    expect(await standingIn('folder', inTurn(...readings))).toEqual(is)
  })
  it('that finds a file missing twice says which', async () => {
    await expect(standingIn('folder', inTurn(missing('tls.key')))).rejects.toThrow('tls.key')
  })
  it('of files that never stand still is given up', async () => {
    let count = 0
    const never = async () => laid(String(count++), '')
    await expect(standingIn('folder', never)).rejects.toThrow('change faster than they can be read')
    expect(count).toBeLessThan(100)
  })
  function missing(what: string): Fault {
    return new Fault('FILE_UNREADABLE', what)
  }
})

async function failures(): Promise<number | undefined> {
  const line = /^tars_admission_cert_reload_total\{result="failed"\} (\d+)$/m.exec(await metrics.registry.metrics())
  return line === null ? undefined : Number(line[1])
}
