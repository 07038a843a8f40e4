import type { Controller, Key, Turn } from '../../kit/controller.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { ANNOTATIONS } from '../names.ts'

interface Resting {
  readonly state: string
  readonly until: number
}
/** Written by the worker itself. */
const OWN: readonly string[] = [ANNOTATIONS.remoteId, ANNOTATIONS.remoteOrigin, ANNOTATIONS.creating]

/**
 * Until when an object is not compared with Cloudflare, after a success or a failure. What wakes it meanwhile, such as the
 * status that the worker wrote, asks nothing; what its author changes counts at once.
 */
export class Rests {
  readonly #tick: () => number
  readonly #resting = new Map<string, Resting>()

  constructor(tick: () => number) {
    this.#tick = tick
  }

  /** Undefined where the object is to be compared now, which begins with it. */
  leftMs(key: Key, object: KubeObject, around: object): number | undefined {
    const state = stateOf(object, around)
    const resting = this.#resting.get(idOf(key))
    const leftMs = (resting?.until ?? 0) - this.#tick()
    if (resting?.state === state && leftMs > 0) return leftMs
    this.#resting.set(idOf(key), { state, until: Number.NEGATIVE_INFINITY })
    return undefined
  }

  /** Not after a write of the cluster that did not go through, which is done once more. */
  end(key: Key, turn: Turn | undefined): void {
    const resting = this.#resting.get(idOf(key))
    if (turn === undefined) this.#resting.delete(idOf(key))
    if (resting === undefined || turn?.againInMs === undefined || !turn.results.every(isThrough)) return
    this.#resting.set(idOf(key), { ...resting, until: this.#tick() + turn.againInMs })
  }
}

/** The same controller, of which each turn says how long its key rests. */
export const resting = (rests: Rests, controller: Controller): Controller => ({
  ...controller,
  async turn(key, around) {
    const turn = await controller.turn(key, around)
    rests.end(key, turn)
    return turn
  },
})

const idOf = ({ namespace, name }: Key) => `${namespace}/${name}`
const isThrough = ({ action, outcome }: Turn['results'][number]) =>
  !('of' in action) || outcome === 'done' || outcome === 'needless'

/** All that a comparison rests on beside Cloudflare. */
function stateOf({ metadata }: KubeObject, around: object): string {
  const { uid, generation, deletionTimestamp, annotations } = metadata
  const authors = Object.entries(annotations ?? {}).filter(([name]) => !OWN.includes(name))
  return JSON.stringify([uid, generation, deletionTimestamp, authors.sort(), around])
}
