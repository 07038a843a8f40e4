import { isTerminating } from '../../src/kube/metadata.ts'
import type { ClusterReader, Found, KubeObject, Resource, Where } from '../kit/schema.ts'

/** The first candidate usually confirms the use. */
const AT_FIRST = 2
const GROWTH = 8

/**
 * Yields the objects of a look-up whole, one at a time, for as long as the caller iterates. Thousands of objects may
 * carry a label, and each may be as large as etcd allows, so it lists metadata first, a few and then more, and reads
 * the matching objects one by one. A terminating object counts as no use.
 */
export async function* oneByOne<T extends KubeObject>(
  of: Resource<T>,
  where: Where,
  cluster: ClusterReader,
  isMeant: (candidate: KubeObject) => boolean = () => true,
): AsyncGenerator<Found<T>, void> {
  const seen = new Set<string>()
  for (let limit = AT_FIRST; ; limit *= GROWTH) {
    const candidates = await cluster.list(of, { ...where, metadataOnly: true, limit })
    for (const candidate of candidates) {
      const { namespace = '', name } = candidate.metadata
      if (seen.has(name) || isTerminating(candidate) || !isMeant(candidate)) continue
      seen.add(name)
      const object = await cluster.get(of, { namespace, name })
      if (object !== undefined && !isTerminating(object)) yield object
    }
    if (candidates.length < limit) return
  }
}
