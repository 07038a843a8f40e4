import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../src/faults.ts'

/**
 * Writes the CA certificate as ca.crt, for callers on this machine. The write is atomic: a reader finds the old
 * certificate or the new one.
 */
export async function publish(ca: string, folder: string): Promise<void> {
  const file = join(folder, 'ca.crt')
  const draft = `${file}.${randomUUID()}` // the pid would not do: in containers every process is number 1
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(draft, ca)
    await rename(draft, file)
  } catch (cause) {
    throw new Fault('CERTIFICATE', `${file} cannot be written: name a folder that can with --cert-dir`, { cause })
  }
}
