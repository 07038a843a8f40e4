import { readFile } from 'node:fs/promises'
import { certificatesIn } from '../../certs/pem.ts'
import { type Config, UsageError } from '../config.ts'
import { Fault } from '../faults.ts'

/** Reads a file that the operator named. */
export async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

/** The folder of --certs files. */
export function pairFolder({ certDir }: Config): string {
  if (certDir !== undefined) return certDir
  throw new UsageError('--certs files needs --cert-dir DIR, where tls.crt, tls.key and ca.crt are')
}

/** Returns the certificates alone, so that a key in the same file is not passed on. */
export async function caIn(file: string): Promise<string> {
  const certificates = certificatesIn(await contentOf(file))
  if (certificates.length === 0) throw new Fault('FILE_UNREADABLE', `${file} holds no certificate in PEM`)
  return `${certificates.join('\n')}\n`
}

export function unreadable(path: string, cause: unknown): Fault {
  return new Fault('FILE_UNREADABLE', `${path} cannot be read: ${whyOf(cause)}`, { cause })
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

function whyOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return WHY[code] ?? (cause instanceof Error ? cause.message : String(cause))
}
