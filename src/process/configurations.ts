import { MUTATING, VALIDATING } from '../../certs/ca-bundle.ts'
import { configurationsOf, type Door } from '../admission/door.ts'
import type { Gvr } from '../cluster/port.ts'
import type { Kind } from '../kind.ts'

/** A webhook configuration in a cluster. */
export interface RegisteredConfiguration {
  readonly of: Gvr
  readonly name: string
}

export const RESOURCES: Readonly<Record<Door['phase'], Gvr>> = { mutate: MUTATING, validate: VALIDATING }

export function registeredConfigurations(kinds: readonly Pick<Kind, 'doors'>[]): readonly RegisteredConfiguration[] {
  return configurationsOf(kinds).map(({ phase, name }) => ({ of: RESOURCES[phase], name }))
}
