import type { Cluster, ClusterWriter, ObjectWatcher } from '../cluster/port.ts'

/** The port that certificates need: they follow one object and write it. */
export function writingPort({ watcher, writer }: Cluster): ObjectWatcher & Pick<ClusterWriter, 'replace' | 'patch'> {
  return {
    follow: (of, ref, tell) => watcher.follow(of, ref, tell),
    replace: (of, object) => writer.replace(of, object),
    patch: (of, ref, operations) => writer.patch(of, ref, operations),
  }
}
