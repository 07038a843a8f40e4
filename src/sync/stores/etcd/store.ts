import { once } from 'node:events'
import type { OpenStore } from '../../store.ts'
import { EtcdClient } from './client.ts'
import { METHODS } from './messages.ts'
import { Progress } from './progress.ts'
import { rangesOf } from './ranges.ts'
import { snapshotOf } from './reading.ts'
import { reopening, watchOn } from './watching.ts'

/** etcd from 3.4 on, by its own API, which is gRPC. */
export const etcdStore: OpenStore = (options, { clock }) => {
  const client = new EtcdClient(options)
  const progress = new Progress()
  return {
    name: 'etcdv3',
    read: (keys, signal) => snapshotOf(keys, (request, decode) => client.ask(METHODS.txn, request, signal, decode)),
    async watch(keys, changed, signal) {
      const ranges = rangesOf(keys)
      progress.keepOnly(ranges)
      if (ranges.length === 0) {
        changed()
        if (!signal.aborted) await once(signal, 'abort')
        return
      }
      try {
        const end = await client.stream(METHODS.watch, signal, (stream) =>
          watchOn(stream, { ranges, progress, changed, clock, signal }),
        )
        if (end !== undefined) throw reopening(end)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
    close: () => client.close(),
  }
}
