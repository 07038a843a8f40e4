import { keptFor } from '../../../src/cluster/kept.ts'
import { storedOf } from '../../../src/cluster/memory/memory-store.ts'
import { needsOf } from '../../../src/cluster/needs.ts'
import type { Built, ClusterReader, Gvr, Readers } from '../../../src/cluster/port.ts'
import { projectionOf } from '../../../src/cluster/projection.ts'
import { Fault } from '../../../src/faults.ts'
import { carries } from '../../../src/kube/labels.ts'
import { kinds } from '../kinds.ts'

export interface NotedReader extends ClusterReader {
  /** Every look-up, in order: `get TTemplate demo/base`. */
  readonly reads: readonly string[]
}

/** Objects that fit their schema, as a cluster of nothing else would give them. */
export function readerOf(...objects: readonly Built[]): NotedReader {
  const reads: string[] = []
  const of = ({ group, version, kind }: Gvr) =>
    objects.filter((each) => each.kind === kind && each.apiVersion === [group, version].filter(Boolean).join('/'))
  return {
    reads,
    async get(resource, { namespace, name }) {
      reads.push(`get ${resource.kind} ${namespace}/${name}`)
      const found = of(resource).find(
        ({ metadata }) => metadata.name === name && (metadata.namespace ?? '') === namespace,
      )
      return resource.isDraft(found) && found !== undefined ? found : undefined
    },
    async list(resource, { namespace, labels = {}, metadataOnly, limit }) {
      const form = `${metadataOnly ? ' metadata' : ''}${limit === undefined ? '' : ` of ${limit}`}`
      reads.push(`list ${resource.kind} ${namespace} ${JSON.stringify(labels)}${form}`)
      const found = of(resource).filter(({ metadata }) => metadata.namespace === namespace)
      return found
        .filter(({ metadata }) => carries(metadata.labels, labels))
        .slice(0, limit)
        .map((each) => (metadataOnly ? { metadata: each.metadata } : each))
        .flatMap((each) => (resource.isDraft(each) ? [each] : []))
    },
    /** All is taken, as it is. */
    async dryRun({ kind }, object, by) {
      reads.push(`dry-run ${by} ${kind} ${object.metadata.namespace}/${object.metadata.name}`)
      return storedOf(object)
    },
  }
}

/** The same objects from the cache, which keeps what the kinds read of them, and from the live cluster. */
export function readersOf(...objects: readonly Built[]): Readers {
  return { cached: readerOf(...objects.map(asKept)), live: readerOf(...objects) }
}

const KEPT = keptFor(needsOf({ kinds }, 'webhook').reads)

/** With its type, by which this reader finds it. */
function asKept(object: Built): Built {
  const { apiVersion, kind } = object
  const kept = KEPT.find(({ resource }) => resource.kind === kind)
  return kept === undefined ? object : { ...projectionOf(kept.fields)(object), apiVersion, kind }
}

const away = () => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'the cluster is out of reach'))
export const UNREACHABLE: ClusterReader = { get: away, list: away, dryRun: away }
