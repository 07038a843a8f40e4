import type { Need } from './cluster/needs.ts'
import type { Cluster, Gvr, Readers } from './cluster/port.ts'
import type { Sample } from './metric.ts'

/** What a process, webhook or worker, finds out about its cluster by itself, again and again. */
export interface Fact<F> {
  readonly name: string
  readonly everyMs: number
  /** Objects of cluster scope; each change of one asks again. The rights to get and watch them come from here. */
  readonly follows?: readonly FollowedObject[]
  readonly needs: readonly Need[]
  /** What counts until it is known. */
  readonly until: F
  readonly is: (value: unknown) => value is F
  /** What it throws changes nothing: the last answer counts on. */
  readonly ask: (asking: Asking) => Promise<F>
  /** What each answer sets in metrics of the family. */
  measured?(answer: F): readonly Sample[]
}
export interface FollowedObject {
  readonly of: Gvr
  readonly name: string
}
export interface Asking extends Readers {
  /** The namespace of the installation. */
  readonly home: string
  readonly openApi: Cluster['openApi']
}

/** What is known now. Rules, mutations and plans ask for a fact as they ask for a setting. */
export interface Facts {
  get<F>(fact: Fact<F>): F
}
export const NOTHING_KNOWN: Facts = { get: ({ until }) => until }

export function factsOf(known: ReadonlyMap<string, unknown>): Facts {
  return {
    get({ name, is, until }) {
      const value = known.get(name)
      return is(value) ? value : until
    },
  }
}

/** What facts look up, and what they follow. */
export function needsOfFacts(facts: readonly Fact<unknown>[]): readonly Need[] {
  const followed = facts.flatMap(({ follows = [] }) => follows)
  return [
    ...facts.flatMap(({ needs }) => needs),
    ...followed.map(({ of, name }): Need => ({ resource: of, names: [name], asks: ['get', 'watch'] })),
  ]
}
