/** Versions of one store are numbers that only grow (KEP-5504); of what is no number nothing can be said. */
export function isOlder(one: string, other: string): boolean {
  if (![one, other].every((version) => NUMBER.test(version))) return false
  return one.length === other.length ? one < other : one.length < other.length
}
const NUMBER = /^[1-9]\d*$/
