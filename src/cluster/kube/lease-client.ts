import type { ClusterReader, ClusterWriter } from '../port.ts'
import { liveReader } from './live-reader.ts'
import { connect } from './wire/connection.ts'
import { kubeWriter } from './writer.ts'

/** Half the time in which a leader must renew its Lease: one call that hangs leaves time for another. */
const CALL_MS = 5_000

/** A connection for the election alone: its few calls must not wait for a turn behind the writes of controllers. */
export async function openLeaseClient(
  kubeconfig: string | undefined,
): Promise<{ readonly reader: ClusterReader; readonly writer: ClusterWriter; stop(): void }> {
  const connection = await connect(kubeconfig)
  return {
    reader: liveReader(connection, CALL_MS),
    writer: kubeWriter(connection, CALL_MS),
    stop: () => connection.stop(),
  }
}
