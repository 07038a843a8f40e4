import { createHash } from 'node:crypto'
import { readFile, readlink, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Fault } from '../../../faults.ts'
import type { Clock } from '../../../timing/clock.ts'
import { pause } from '../../../timing/pause.ts'
import { FolderWatchers } from './folders.ts'
import { LARGEST, within } from './sources.ts'

interface WatchedSources {
  readonly files: readonly string[]
  readonly filter: string
  readonly clock: Clock
  readonly changed: () => void
  readonly signal: AbortSignal
}

/** What one writer does in a row is looked at once. */
const TOGETHER_MS = 50
const MOST_LOOKS = 10
const MOST_LINKS = 40

/** Until the signal aborts; rejects when a folder cannot be watched, and nothing below it (SY-FILE-6). */
export async function watchSources({ files, filter, clock, changed, signal }: WatchedSources): Promise<void> {
  let heard = Promise.withResolvers<void>()
  const watchers = new FolderWatchers(
    () => heard.resolve(),
    (error) => heard.reject(error),
  )
  const abort = () => heard.resolve()
  signal.addEventListener('abort', abort)
  try {
    let before = await look(files, filter, watchers)
    changed()
    while (!signal.aborted) {
      await heard.promise
      await pause(clock, TOGETHER_MS, signal)
      if (signal.aborted) return
      heard = Promise.withResolvers()
      const now = await look(files, filter, watchers)
      if (now !== before) changed()
      before = now
    }
  } catch (error) {
    throw unwatchable(error)
  } finally {
    signal.removeEventListener('abort', abort)
    watchers.close()
  }
}

/** What the sources hold, seen while all their folders are listened to. */
async function look(files: readonly string[], filter: string, watchers: FolderWatchers): Promise<string> {
  for (let turn = 1; ; turn++) {
    const sources = await Promise.all(files.map((file) => sourceAt(file, filter)))
    const folders = new Map<string, ReadonlySet<string> | 'all'>()
    for (const source of sources)
      for (const [path, names] of source.folders) folders.set(path, merged(folders.get(path), names))
    const hasBegun = await watchers.keep(folders)
    if (!hasBegun || turn === MOST_LOOKS) return digestOf(sources.flatMap((source) => source.files))
  }
}

type Entries = ReadonlySet<string> | 'all'
const merged = (one: Entries | undefined, other: Entries): Entries =>
  one === 'all' || other === 'all' ? 'all' : new Set([...(one ?? []), ...other])

interface Source {
  readonly files: readonly string[]
  readonly folders: readonly Place[]
}

type Place = readonly [path: string, names: Entries]

async function sourceAt(file: string, filter: string): Promise<Source> {
  const path = resolve(file)
  const places = await placesOf(path)
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return { files: [path], folders: places }
  const { files, folders } = await within(path, filter)
  return { files, folders: [...places, ...folders.map((each): Place => [each, 'all'])] }
}

/** The folder that a source is in tells when it is replaced, removed or made again; so does that of each link to it. */
async function placesOf(path: string): Promise<readonly Place[]> {
  const places: Place[] = []
  let hop: string | undefined = path
  while (hop !== undefined && places.length < MOST_LINKS) {
    places.push([dirname(hop), new Set([basename(hop)])])
    hop = await targetOf(hop)
  }
  return places
}

async function targetOf(link: string): Promise<string | undefined> {
  try {
    return resolve(dirname(link), await readlink(link))
  } catch {
    return undefined // it is none
  }
}

async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(await digestOfFile(file))
  return hash.digest('hex')
}

/** One that is missing, or cannot be read, differs from all others. */
async function digestOfFile(file: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(file)
    if (size > LARGEST) return `${size} ${mtimeMs}`
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  } catch (error) {
    return codeOf(error)
  }
}

function unwatchable(error: unknown): Fault {
  if (error instanceof Fault) return error
  const path = error instanceof Error && 'path' in error ? String(error.path) : 'a folder'
  return new Fault('STORE_UNREACHABLE', `${path} cannot be followed: ${codeOf(error)}`, { cause: error })
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')
