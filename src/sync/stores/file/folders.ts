import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** The folders to listen to, and what of each matters: some names in it, or all. */
export type Folders = ReadonlyMap<string, ReadonlySet<string> | 'all'>

interface Listening {
  readonly watcher: FSWatcher
  /** Which folder it is; a path may lead to another one later. */
  readonly identity: string
}

/** Watchers of folders. One of a file would be deaf, without an error, after the first rename over it. */
export class FolderWatchers {
  readonly #open = new Map<string, Listening>()
  #folders: Folders = new Map()
  readonly #heard: () => void
  readonly #failed: (error: unknown) => void

  constructor(heard: () => void, failed: (error: unknown) => void) {
    this.#heard = heard
    this.#failed = failed
  }

  /** Listens to these and no others; whether it has begun to listen to one. */
  async keep(folders: Folders): Promise<boolean> {
    this.#folders = folders
    for (const path of this.#open.keys()) if (!folders.has(path)) this.#close(path)
    let hasBegun = false
    for (const path of folders.keys()) hasBegun = (await this.#listenTo(path)) || hasBegun
    return hasBegun
  }

  close(): void {
    for (const path of this.#open.keys()) this.#close(path)
  }

  /** A folder that was removed and made again is another one, which its watcher does not hear. */
  async #listenTo(path: string): Promise<boolean> {
    const identity = await identityOf(path)
    const before = this.#open.get(path)
    if (before?.identity === identity) return false
    this.#close(path)
    const watcher = watch(path, { persistent: true }, (_, name) => {
      if (this.#matters(path, name)) this.#heard()
    })
    watcher.on('error', this.#failed)
    this.#open.set(path, { watcher, identity })
    return true
  }

  /** A volume of Kubernetes moves a link whose name begins with two dots; a folder that goes says its own name. */
  #matters(path: string, name: string | null): boolean {
    const names = this.#folders.get(path)
    return (
      names === 'all' || name === null || name.startsWith('..') || name === basename(path) || Boolean(names?.has(name))
    )
  }

  #close(path: string): void {
    this.#open.get(path)?.watcher.close()
    this.#open.delete(path)
  }
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true })
  return `${dev}:${ino}`
}
