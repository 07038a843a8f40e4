import { posix } from 'node:path'
import type { Key } from '../keys.ts'

export const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

/** Absolute, clean, and without a slash at its end (SY-RES-6). */
export function prefixOf(own: string, global: string, isJoined: boolean): string {
  if (isJoined) return cleaned(`/${global}/${own}`)
  return cleaned(`/${global === '' ? own : global}`)
}

/** A slash at its end stays one bit: the children alone (SY-RES-7). */
export function keyUnder(prefix: string, written: string): Key {
  const path = cleaned(`${prefix}/${written}`)
  return { path: bytesOf(path), childrenOnly: path !== '/' && written.endsWith('/') && !isWhole(written) }
}
/** Everything below the prefix, the prefix itself included. */
const isWhole = (written: string) => cleaned(`/${written}`) === '/'

function cleaned(path: string): string {
  const clean = posix.normalize(path).replace(/^\/+/, '/')
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean
}

/** What a template knows a value by: the prefix is cut, the rest is absolute and clean (SY-RES-9). */
export function shownPath(prefix: string, path: string): string {
  const cut = path.startsWith(prefix) ? path.slice(prefix.length) : path
  return cleaned(`/${cut}`)
}
