import type { MemoryCluster } from '../../../src/cluster/memory/memory-cluster.ts'
import type { ClusterWriter, Following, Gvr, ObjectWatcher, Ref, Stored } from '../../../src/cluster/port.ts'
import { clusterOf } from '../clusters.ts'

/** A cluster in memory that counts the writes and fails the next one when it is told to. */
export class CountedCluster implements ObjectWatcher, Pick<ClusterWriter, 'replace' | 'patch'> {
  readonly #cluster: MemoryCluster = clusterOf()
  readonly writes = { requested: 0, taken: 0 }
  /** Thrown by the next write. */
  fault: Error | undefined

  /** As somebody else would write it. */
  put({ group, version, kind }: Gvr, metadata: Ref, rest: Readonly<Record<string, unknown>>): void {
    const apiVersion = [group, version].filter(Boolean).join('/')
    this.#cluster.seed([{ apiVersion, kind, ...rest, metadata }])
  }

  drop(of: Gvr, ref: Ref): Promise<void> {
    return this.#cluster.remove(of, ref)
  }

  get(of: Gvr, ref: Ref): Promise<Stored | undefined> {
    const { promise, resolve } = Promise.withResolvers<Stored | undefined>()
    const following = this.#cluster.follow(of, ref, resolve)
    return promise.finally(() => following.stop())
  }

  follow(of: Gvr, ref: Ref, tell: (object: Stored | undefined) => void): Following {
    return this.#cluster.follow(of, ref, tell)
  }

  replace(of: Gvr, object: Stored): Promise<Stored> {
    return this.#counted(() => this.#cluster.replace(of, object))
  }

  patch(...requested: Parameters<ClusterWriter['patch']>): Promise<Stored> {
    return this.#counted(() => this.#cluster.patch(...requested))
  }

  async #counted(write: () => Promise<Stored>): Promise<Stored> {
    this.writes.requested += 1
    const { fault } = this
    this.fault = undefined
    if (fault !== undefined) throw fault
    const stored = await write()
    this.writes.taken += 1
    return stored
  }
}
