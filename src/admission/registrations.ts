import type { Kind } from '../kind.ts'
import { addressesOf, checkDoors, type Door } from './door.ts'

/** A door, and the kinds that handle reviews of one address there, in the order of the list. */
export interface Registration {
  readonly door: Door
  readonly kinds: readonly Kind[]
}

export function registrationsOf(kinds: readonly Kind[]): ReadonlyMap<string, Registration> {
  checkDoors(kinds)
  const registered = new Map<string, Registration>()
  for (const kind of kinds) {
    for (const door of kind.doors) {
      for (const address of addressesOf(kind.resource, door)) {
        const before = registered.get(address)?.kinds ?? []
        registered.set(address, { door, kinds: [...before, kind] })
      }
    }
  }
  return registered
}
