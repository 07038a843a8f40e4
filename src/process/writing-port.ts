import type { Cluster, ClusterWriter, ObjectWatcher } from '../cluster/port.ts'

/** What certificates ask of a cluster: one object followed, and written back. */
export function writingPort({ watcher, writer }: Cluster): ObjectWatcher & Pick<ClusterWriter, 'replace' | 'patch'> {
  return {
    follow: (of, ref, tell) => watcher.follow(of, ref, tell),
    replace: (of, object) => writer.replace(of, object),
    patch: (of, ref, operations) => writer.patch(of, ref, operations),
  }
}
