import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../src/clock.ts'
import { Fault } from '../src/faults.ts'
import { servingPair } from './pair.ts'
import type { CertificateSource } from './source.ts'

/** A pair that is laid down in a folder before we start: tls.crt, tls.key and ca.crt. */
export async function filesSource(folder: string, { now }: Pick<Clock, 'now'>): Promise<CertificateSource> {
  // One after the other: of several missing files the same one is told each time.
  const cert = await contentOf(join(folder, 'tls.crt'))
  const key = await contentOf(join(folder, 'tls.key'))
  const ca = await contentOf(join(folder, 'ca.crt'))
  const pair = servingPair({ cert, key, ca }, folder, now())
  return { current: () => pair, onRenewed() {}, stop() {} }
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const why = `${file} cannot be read: --certs files wants tls.crt, tls.key and ca.crt there`
    throw new Fault('FILE_UNREADABLE', why, { cause })
  }
}
