const LONGEST_PATH = 200

/** A patch cannot be applied. Words and path name keys, never values: those may be secret. */
export class MergeError extends Error {
  override readonly name = 'MergeError'

  constructor(path: string, what: string) {
    const place = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path
    super(place === '' ? what : `${place}: ${what}`)
  }
}

export function under(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}
