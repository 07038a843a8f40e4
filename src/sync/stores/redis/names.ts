import { collapsed, type Key } from '../../keys.ts'
import type { KeyPlace } from '../../store.ts'

/** How paths of keys become names in redis, and back (SY-REDIS-3). */
export interface Names {
  nameOf(path: string): string
  pathOf(name: string): string
  /** What redis has between a key and its children. */
  readonly separator: string
}

export function namesBy(separator: string): Names {
  if (separator === '' || separator === '/') {
    return { separator: '/', nameOf: (path) => path, pathOf: (name) => name }
  }
  return {
    separator,
    nameOf: (path) => path.slice(1).replaceAll('/', separator),
    pathOf: (name) => `/${name.replaceAll(separator, '/')}`,
  }
}

/** Where redis has them, after those that others cover are gone. */
export function keysFor(keys: readonly Key[], names: Names): readonly Key[] {
  return collapsed(keys.map((key) => placeBy(names)(key).key))
}

/**
 * confd takes a key with a star for the folder. A separator within a key is a slash in what is read, but in the name of
 * a single value, which stays as it was written.
 */
export function placeBy({ nameOf, pathOf }: Names): (key: Key) => KeyPlace {
  return ({ path, childrenOnly }) => {
    const alias = path.replaceAll('/*', '') || '/'
    return { key: { path: pathOf(nameOf(alias)), childrenOnly }, alias }
  }
}

/** The start of all names below a key. */
export function startOf({ path }: Key, { nameOf, separator }: Names): string {
  if (path === '/') return separator === '/' ? '/' : ''
  return `${nameOf(path)}${separator}`
}

/** One that matches exactly this text: what means something in a pattern of redis is escaped (SY-REDIS-5). */
export const literally = (text: string) => text.replace(/[*?[\]\\^-]/g, '\\$&')

/** What all of them begin with. */
export function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length
  for (const each of others) while (!each.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

/** The channels on which redis tells of a key and of what is below it (SY-REDIS-8). */
export function patternsOf(keys: readonly Key[], database: number, names: Names): readonly string[] {
  const channel = `__keyspace@${database}__:`
  return keys.flatMap((key) => {
    const children = `${channel}${literally(startOf(key, names))}*`
    return key.path === '/' ? [children] : [`${channel}${literally(names.nameOf(key.path))}`, children]
  })
}
