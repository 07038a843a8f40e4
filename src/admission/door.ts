import { isDeepStrictEqual } from 'node:util'
import type { Gvr } from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import type { Selector } from '../kube/selectors.ts'
import type { Sample } from '../metric.ts'
import type { Operation } from './change.ts'

/** A CEL condition for the API server. The handler repeats the check, since an API server below 1.30 has no match conditions (CV-7). */
export interface MatchCondition {
  readonly name: string
  readonly expression: string
}

/**
 * How the API server reaches a kind. The webhook configurations are printed from the doors: doors with the same name are
 * one webhook with a rule each.
 */
export interface Door {
  readonly name: string
  readonly path: string
  readonly phase: 'mutate' | 'validate'
  /** The name of the webhook configuration that lists it; the usual one of its phase when absent. */
  readonly configuration?: string
  readonly operations: readonly Operation[]
  readonly subresource?: string
  readonly failurePolicy: 'Fail' | 'Ignore'
  /** Refuses an undecided review even where the failure policy would admit it (SV-6). */
  readonly unanswered?: 'refuse'
  readonly timeoutSeconds: number
  /** How long a review waits for one look-up; a second when absent. */
  readonly lookUpMs?: number
  /** The metric of the family that observes the time from the arrival of a review to its answer. */
  readonly times?: Omit<Sample, 'value'>
  readonly sideEffects: 'None' | 'NoneOnDryRun'
  readonly reinvocation?: 'IfNeeded'
  readonly matchPolicy?: 'Exact' // Equivalent when absent
  readonly objectSelector?: Selector
  readonly namespaceSelector?: Selector
  readonly matchConditions?: readonly MatchCondition[]
  /** Skips these namespaces and that of the webhook, whose pods must start without it (SV-13). */
  readonly exceptNamespaces?: readonly string[]
  /** Skips writes of the webhook itself: a mark must never wait for the process that sets it (SV-13). */
  readonly exceptOurselves?: true
  /** Skips writes of the controller to save calls: the controller may do anything there (tars.md 2.1). */
  readonly exceptController?: true
}

const USUAL = { mutate: 'tars-admission-mutating', validate: 'tars-admission-validating' } as const

export function configurationOf({
  phase,
  configuration = USUAL[phase],
}: Pick<Door, 'phase' | 'configuration'>): string {
  return configuration
}

interface Configuration {
  readonly phase: Door['phase']
  readonly name: string
}
/** The webhook configurations that list the doors of these kinds. Rights, caBundle and diagnosis derive from them. */
export function configurationsOf(kinds: readonly Pick<Registered, 'doors'>[]): readonly Configuration[] {
  const doors = kinds.flatMap(({ doors }) => doors)
  return (['mutate', 'validate'] as const).flatMap((phase) => {
    const names = doors.filter((door) => door.phase === phase).map(configurationOf)
    return [...new Set(names)].map((name) => ({ phase, name }))
  })
}

/** The parts of a review that select its door. The version is that of the object, not the requested one (W-2). */
export interface Route {
  readonly path: string
  readonly resource: Pick<Gvr, 'group' | 'version' | 'plural'>
  readonly subresource: string | undefined
  readonly operation: string
}

export function addressOf({ path, resource, subresource = '', operation }: Route): string {
  return [operation, resource.group, resource.version, resource.plural, subresource, path].join(' ')
}

export function addressesOf(resource: Route['resource'], { path, subresource, operations }: Door): readonly string[] {
  return operations.map((operation) => addressOf({ path, resource, subresource, operation }))
}

interface Registered {
  readonly resource: Route['resource']
  readonly doors: readonly Door[]
}

/**
 * One webhook entry serves all doors of one name, and all doors at one address, where the API server asks once. So these
 * doors must agree in all that an entry has once: all but its rules.
 */
export function checkDoors(kinds: readonly Registered[]): void {
  const firsts = new Map<string, Door>()
  for (const { resource, doors } of kinds) {
    for (const door of doors) {
      for (const place of [`${door.phase} ${door.name}`, ...addressesOf(resource, door)]) {
        const first = firsts.get(place) ?? door
        firsts.set(place, first)
        const odd = differences(first, door)
        if (odd.length > 0) throw new Fault('USAGE', contradiction(first, door, odd, resource))
      }
    }
  }
}

function differences(one: Door, other: Door): readonly string[] {
  const [before, now] = [once(one), once(other)]
  const fields = Object.keys({ ...before, ...now })
  return fields.filter((field) => !isDeepStrictEqual(before[field], now[field]))
}
function once({ operations: _, subresource: __, ...door }: Door): Readonly<Record<string, unknown>> {
  return door
}

function contradiction(one: Door, other: Door, odd: readonly string[], { plural, version }: Route['resource']): string {
  const fields = odd.join(', ')
  if (one.name === other.name) return `the doors named ${one.name} differ in more than their rules: in ${fields}`
  const names = `${one.name} and ${other.name}`
  return `the doors ${names} meet the same reviews of ${plural} ${version} on ${one.path}, but differ in ${fields}`
}
