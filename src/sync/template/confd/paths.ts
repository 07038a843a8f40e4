import type { Bytes } from '../bytes.ts'

/** As Go's path.Clean: the shortest path that means the same. */
export function cleanPath(path: Bytes): Bytes {
  const isAbsolute = path.startsWith('/')
  const kept: Bytes[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') kept.push(name)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isAbsolute) kept.push(name)
  }
  const joined = kept.join('/')
  return isAbsolute ? `/${joined}` : joined || '.'
}

/** As Go's path.Base. */
export function basePath(path: Bytes): Bytes {
  if (path === '') return '.'
  let end = path.length
  while (end > 0 && path.charAt(end - 1) === '/') end--
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end) || '/'
}

/** As Go's path.Dir. */
export const dirPath = (path: Bytes): Bytes => cleanPath(path.slice(0, path.lastIndexOf('/') + 1))
