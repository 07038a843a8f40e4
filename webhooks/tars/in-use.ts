import { isTerminating } from '../../src/kube/metadata.ts'
import type { ClusterReader, Found, KubeObject, Resource, Where } from '../kit/schema.ts'

/** Most often the first one says so itself. */
const AT_FIRST = 2
const GROWTH = 8

/**
 * What a look-up finds, whole, one after the other for as long as somebody asks. Thousands of objects may carry a label,
 * and each may be as large as etcd takes: so metadata comes first, of a few and then of more, and a GET of those that
 * are meant. What is being deleted uses nothing.
 */
export async function* oneByOne<T extends KubeObject>(
  of: Resource<T>,
  where: Where,
  cluster: ClusterReader,
  isMeant: (carrier: KubeObject) => boolean = () => true,
): AsyncGenerator<Found<T>, void> {
  const seen = new Set<string>()
  for (let limit = AT_FIRST; ; limit *= GROWTH) {
    const carriers = await cluster.list(of, { ...where, metadataOnly: true, limit })
    for (const carrier of carriers) {
      const { namespace = '', name } = carrier.metadata
      if (seen.has(name) || isTerminating(carrier) || !isMeant(carrier)) continue
      seen.add(name)
      const object = await cluster.get(of, { namespace, name })
      if (object !== undefined && !isTerminating(object)) yield object
    }
    if (carriers.length < limit) return
  }
}
