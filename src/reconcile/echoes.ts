import type { Built, ClusterWriter, Gvr } from '../cluster/port.ts'
import { isNamed } from '../cluster/stored.ts'
import { notingWriter } from './calls.ts'
import { isSame } from './controller.ts'
import type { FeedChange } from './feed.ts'
import type { Watched } from './unseen.ts'

interface Written {
  readonly version: string | undefined
  readonly by: string
}
interface Told {
  readonly object: Built
  readonly wake: () => void
}

/**
 * The changes that a key made itself, for watches that wake no key by its own writes. What is told while the key runs is
 * judged at the end of its turn: a watch may be ahead of the answer to the write.
 */
export class Echoes {
  readonly #resources: readonly Gvr[]
  /** What each object is since the last write, by its uid. */
  readonly #written = new Map<string, Written>()
  readonly #running = new Map<string, Told[]>()

  constructor(watched: readonly Watched[]) {
    this.#resources = watched.flatMap(({ watch: { exceptOwn, resource } }) => (exceptOwn ? [resource] : []))
  }

  /** For the turn of a key, which begins. */
  noted(writer: ClusterWriter, by: string): ClusterWriter {
    this.#running.set(by, [])
    return notingWriter(writer, ({ of }, answer) => {
      if (!isNamed(answer) || !this.#resources.some((each) => isSame(each, of))) return
      const { uid = '', resourceVersion: version } = answer.metadata
      this.#written.set(uid, { version, by })
    })
  }

  /** Wakes the key now or at the end of its turn, unless the object is as the key left it. */
  tell(id: string, { now, gone }: FeedChange, wake: () => void): void {
    if (gone !== undefined) this.#written.delete(gone.metadata.uid ?? '')
    const waiting = this.#running.get(id)
    if (now !== undefined && waiting !== undefined) waiting.push({ object: now, wake })
    else if (now === undefined || !this.#isEcho(id, now)) wake()
  }

  end(by: string): void {
    const told = this.#running.get(by) ?? []
    this.#running.delete(by)
    for (const { object, wake } of told) if (!this.#isEcho(by, object)) wake()
  }

  #isEcho(id: string, { metadata }: Built): boolean {
    const { version, by } = this.#written.get(metadata.uid ?? '') ?? {}
    return by === id && version === metadata.resourceVersion
  }
}
