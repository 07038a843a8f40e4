import type { ClusterReader, ClusterWriter } from '../port.ts'
import { liveReader } from './live-reader.ts'
import type { KubeMetrics } from './metrics.ts'
import type { Connection } from './wire/connection.ts'
import { kubeWriter } from './writer.ts'

export interface ClientParts {
  readonly connection: Connection
  readonly metrics: Pick<KubeMetrics, 'liveReads'>
  /** The timeout of one object, or of one page of a list. */
  readonly readTimeoutMs?: number
  readonly writeTimeoutMs?: number
}

/** Reads from and writes to the API server live. A write that may have happened is never repeated. */
export interface KubeClient extends ClusterReader, ClusterWriter {}

export function kubeClient({ connection, metrics, readTimeoutMs, writeTimeoutMs }: ClientParts): KubeClient {
  return {
    ...counted(liveReader(connection, readTimeoutMs), metrics),
    ...kubeWriter(connection, writeTimeoutMs),
  }
}

function counted(reader: ClusterReader, { liveReads }: ClientParts['metrics']): ClusterReader {
  const count = async <T>(kind: string, read: Promise<T>, isAbsent: (found: T) => boolean): Promise<T> => {
    try {
      const found = await read
      liveReads.inc({ kind, outcome: isAbsent(found) ? 'absent' : 'found' })
      return found
    } catch (cause) {
      liveReads.inc({ kind, outcome: 'failed' })
      throw cause
    }
  }
  return {
    get: (of, ref) => count(of.kind, reader.get(of, ref), (found) => found === undefined),
    list: (of, where) => count(of.kind, reader.list(of, where), (found) => found.length === 0),
    dryRun: (...asked) => reader.dryRun(...asked),
  }
}
