import type { Key } from '../../../src/sync/keys.ts'

/** As a resource writes it. */
export function aKey(written: string): Key {
  const childrenOnly = written.length > 1 && written.endsWith('/')
  return { path: childrenOnly ? written.slice(0, -1) : written, childrenOnly }
}
