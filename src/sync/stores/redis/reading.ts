import { Fault } from '../../../faults.ts'
import { isOf, type Key } from '../../keys.ts'
import type { Snapshot } from '../../store.ts'
import type { Answer } from './connection.ts'
import { commonStart, keysFor, literally, type Names, startOf } from './names.ts'

/** Sends a command; what is sent in one turn goes in one piece. */
export type Send = (...words: readonly string[]) => Promise<Answer>

export interface Reading {
  readonly send: Send
  readonly names: Names
  /** A key whose type holds no single value. */
  readonly skipped: (name: string, type: string) => void
}

const SCAN_COUNT = '1000'
/** So many steps take 10⁸ keys, or a server that never ends. */
const MOST_STEPS = 100_000
const BATCH = 500
const MOST_BYTES = 64 * 1024 * 1024

/** Values of several moments: redis has no snapshot of many keys (SY-REDIS-6). */
export async function valuesOf(keys: readonly Key[], reading: Reading): Promise<Snapshot> {
  const values = new Values(reading.names)
  const asked = keysFor(keys, reading.names)
  const types = await typesOf(
    asked.map(({ path }) => reading.names.nameOf(path)),
    reading.send,
  )
  const folders = asked.filter((key, index) => key.path === '/' || isFolder(key, types[index]))
  const single = asked.filter((key) => !folders.includes(key))
  await takeInto(
    values,
    single.map(({ path }) => reading.names.nameOf(path)),
    reading,
  )
  if (folders.length > 0) await scanInto(values, folders, reading)
  return { values: values.all }
}

/** Of a string its children are not looked for, as in confd: that takes a walk through the whole database. */
function isFolder({ childrenOnly }: Key, type: string | undefined): boolean {
  if (type === 'hash') return false
  return type !== 'string' || childrenOnly
}

class Values {
  readonly all = new Map<string, string>()
  readonly #names: Names
  #bytes = 0

  constructor(names: Names) {
    this.#names = names
  }

  put(name: string, value: string): void {
    this.reserve(name.length + value.length)
    this.all.set(this.#names.pathOf(name), value)
  }

  /** Refuses more than fits into memory well, before it is fetched where that is known. */
  reserve(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > MOST_BYTES) {
      throw new Fault('STORE_ANSWER', 'redis: the values below the keys take more than 64 MiB: read fewer of them')
    }
  }
}

/** All folders share one walk through the database (SY-REDIS-5). */
async function scanInto(values: Values, folders: readonly Key[], reading: Reading): Promise<void> {
  const { send, names } = reading
  const start = commonStart(folders.map((key) => (key.childrenOnly ? startOf(key, names) : names.nameOf(key.path))))
  const pattern = `${literally(folders.some(({ path }) => path === '/') ? '' : start)}*`
  const seen = new Set<string>()
  await stepsOf(['SCAN'], ['MATCH', pattern], send, async (found) => {
    const fresh = found.filter((name) => !seen.has(name) && folders.some((key) => isOf(key, names.pathOf(name))))
    for (const name of fresh) {
      seen.add(name)
      values.reserve(name.length)
    }
    await takeInto(values, fresh, reading)
  })
}

async function takeInto(values: Values, names: readonly string[], reading: Reading): Promise<void> {
  for (let at = 0; at < names.length; at += BATCH) await takeBatch(values, names.slice(at, at + BATCH), reading)
}

async function takeBatch(values: Values, names: readonly string[], reading: Reading): Promise<void> {
  const types = await typesOf(names, reading.send)
  const ofType = (type: string) => names.filter((_, index) => types[index] === type)
  await takeStrings(values, ofType('string'), reading.send)
  for (const name of ofType('hash')) await takeFields(values, name, reading)
  names.forEach((name, index) => {
    const type = types[index] ?? 'none'
    if (!['string', 'hash', 'none'].includes(type)) reading.skipped(name, type)
  })
}

/** Their lengths first, since an answer is held in memory as a whole. */
async function takeStrings(values: Values, names: readonly string[], send: Send): Promise<void> {
  const lengths = await Promise.all(names.map((name) => whereString(send('STRLEN', name))))
  const total = lengths.reduce<number>((sum, length) => sum + (typeof length === 'number' ? length : 0), 0)
  values.reserve(total)
  values.reserve(-total)
  const found = await Promise.all(names.map((name) => whereString(send('GET', name))))
  names.forEach((name, index) => {
    const value = found[index]
    if (typeof value === 'string') values.put(name, value)
  })
}

/** Between two commands a key may have become one of another type; the event of that lets it be read again. */
async function whereString(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return null
    throw error
  }
}

async function takeFields(values: Values, name: string, { send, names }: Reading): Promise<void> {
  const start = `${name}${names.separator}`
  await stepsOf(
    ['HSCAN', name],
    [],
    (...words) => whereString(send(...words)),
    async (found) => {
      for (let at = 0; at + 1 < found.length; at += 2) values.put(`${start}${found[at]}`, found[at + 1] ?? '')
    },
  )
}

async function typesOf(names: readonly string[], send: Send): Promise<readonly string[]> {
  const types: string[] = []
  for (let at = 0; at < names.length; at += BATCH) {
    const batch = await Promise.all(names.slice(at, at + BATCH).map((name) => send('TYPE', name)))
    types.push(...batch.map(String))
  }
  return types
}

/** A walk with a cursor, from 0 to 0. */
async function stepsOf(
  command: readonly string[],
  options: readonly string[],
  send: Send,
  take: (found: readonly string[]) => Promise<void>,
): Promise<void> {
  let cursor = '0'
  for (let step = 0; step < MOST_STEPS; step++) {
    const answer = await send(...command, cursor, ...options, 'COUNT', SCAN_COUNT)
    if (answer === null) return
    const [next, found] = Array.isArray(answer) ? answer : []
    if (typeof next !== 'string' || !isTexts(found)) break
    await take(found)
    if (next === '0') return
    cursor = next
  }
  throw new Fault('STORE_ANSWER', 'redis: its answer to a walk through the keys makes no sense')
}

function isTexts(found: unknown): found is readonly string[] {
  return Array.isArray(found) && found.every((each) => typeof each === 'string')
}
