/** The resourceVersions of one store are growing numbers (KEP-5504); others cannot be compared. */
export function isOlder(one: string, other: string): boolean {
  if (![one, other].every((version) => NUMBER.test(version))) return false
  return one.length === other.length ? one < other : one.length < other.length
}
const NUMBER = /^[1-9]\d*$/
