import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../src/faults.ts'
import type { Cancel } from '../src/timing/clock.ts'
import type { KeyPair } from './pair.ts'

/** A pair as it lies there, good or not. */
export type Laid = KeyPair & { readonly ca: string }

/**
 * What stands in a folder: tls.crt, tls.key and ca.crt. Two readings alike, so there was a moment between them when all
 * three files stood there together, however the folder is exchanged meanwhile; a file that is missing in both is missing.
 */
export async function standingIn(
  folder: string,
  read: (folder: string) => Promise<PairReading> = reading,
): Promise<Laid> {
  let last = await read(folder)
  for (let more = MOST_READINGS; more > 0; more -= 1) {
    const next = await read(folder)
    if (isDeepStrictEqual(next, last)) return laidIn(next)
    last = next
  }
  throw new Fault('FILE_UNREADABLE', `the files in ${folder} change faster than they can be read`)
}
const MOST_READINGS = 20

export type PairReading = Laid | Fault

function laidIn(read: PairReading): Laid {
  if (read instanceof Fault) throw read
  return read
}

/** At once, since a busy process waits its turn for each; of several missing files the same one is told each time. */
async function reading(folder: string): Promise<PairReading> {
  const there = (name: string) => contentOf(join(folder, name))
  const [cert, key, ca] = await Promise.all([there('tls.crt'), there('tls.key'), there('ca.crt')])
  if (cert instanceof Fault) return cert
  if (key instanceof Fault) return key
  return ca instanceof Fault ? ca : { cert, key, ca }
}

async function contentOf(file: string): Promise<string | Fault> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const why = `${file} cannot be read: --certs files wants tls.crt, tls.key and ca.crt there`
    return new Fault('FILE_UNREADABLE', why, { cause })
  }
}

/** Much else may go on in the same folder. */
const TELLING: readonly string[] = ['..data', 'tls.crt', 'tls.key', 'ca.crt']

export type WatchFolder = (folder: string, changed: () => void) => Cancel

/**
 * As far as the file system tells: kubelet exchanges the link `..data` in this folder, others write or rename the files.
 * Where nobody tells, or not any more, nothing is told.
 */
export const watchFolder: WatchFolder = (folder, changed) => {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || TELLING.includes(name)) changed()
    })
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => {}
  }
}
