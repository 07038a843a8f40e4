import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../src/faults.ts'
import type { Cancel } from '../src/timing/clock.ts'
import type { KeyPair } from './pair.ts'

/** A pair as the files hold it, valid or not. */
export type Laid = KeyPair & { readonly ca: string }

/**
 * Reads tls.crt, tls.key and ca.crt of a folder until two readings agree: then all three files were there together at
 * one moment, however the folder is replaced meanwhile. A file that is missing in both readings is missing.
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

/** Reads in parallel, since each read of a busy process waits its turn. Always reports the same one of several missing files. */
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

/** Other files of the folder may change too. */
const TELLING: readonly string[] = ['..data', 'tls.crt', 'tls.key', 'ca.crt']

export type WatchFolder = (folder: string, changed: () => void) => Cancel

/**
 * Calls back as far as the file system reports changes: kubelet replaces the link `..data` in this folder, other
 * writers write or rename the files. Without events it never calls back.
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
