import type { Built, Sink } from '../../../src/cluster/port.ts'

/** Notes what a reflector tells: `list a b`, `put a@7`, `remove a`. */
export class Recorder implements Sink {
  readonly notes: string[] = []
  readonly #watchers = new Set<() => void>()
  #listed: string[] = []
  /** Runs before each note, and may throw. */
  before: (note: string) => unknown = () => {}

  begin(): void {
    this.#listed = []
  }

  add(objects: readonly Built[]): void {
    this.#listed.push(...objects.map(({ metadata }) => metadata.name))
  }

  done = () => this.#note(['list', ...this.#listed].join(' '))
  put = ({ metadata }: Built) => this.#note(`put ${metadata.name}@${metadata.resourceVersion}`)
  remove = ({ metadata }: Built) => this.#note(`remove ${metadata.name}`)

  /** It was told, now or before. */
  async heard(note: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => this.notes.includes(note) && resolve()
    this.#watchers.add(look)
    look()
    await promise
    this.#watchers.delete(look)
  }

  #note(note: string): unknown {
    this.notes.push(note)
    for (const look of this.#watchers) look()
    return this.before(note)
  }
}
