import { Fault } from '../../../faults.ts'
import { type Fuse, fuse } from '../../../timing/fuse.ts'
import { unlessAborted } from '../../../timing/pause.ts'
import type { OpenStore } from '../../store.ts'
import { connect, keyAsPassword, type RedisConnection } from './connection.ts'
import { namesBy, placeBy } from './names.ts'
import { nodesOf } from './nodes.ts'
import { type Send, valuesOf } from './reading.ts'
import { faultOf } from './troubles.ts'
import { watchOn } from './watching.ts'

/** The next ping waits for the answer to the last one, so one that listens is found out within twenty seconds. */
const READER = { pingEveryMs: 3_000, silenceMs: 5_000 }
const LISTENER = { pingEveryMs: 5_000, silenceMs: 15_000 }
const MOST_WARNINGS = 1_000

export const redisStore: OpenStore = (options, { log, clock }) => {
  const nodes = nodesOf(options.nodes)
  const { timeoutMs } = options
  /** A server that is asked to take its time answers no ping meanwhile. */
  const patience = { ...READER, silenceMs: Math.max(READER.silenceMs, timeoutMs) }
  const names = namesBy(options.separator)
  const warned = new Set<string>()
  let reader: RedisConnection | undefined
  let opening: Promise<RedisConnection> | undefined
  if (keyAsPassword(options) !== '') {
    log.warn({}, 'client_key is used as the password of redis, as confd does; write it as password instead')
  }

  function skipped(name: string, type: string): void {
    if (warned.has(name) || warned.size >= MOST_WARNINGS) return
    warned.add(name)
    log.warn({ name, kind: type }, 'a key of redis is skipped, for its type has no single value')
  }

  async function readerFor(signal: AbortSignal): Promise<RedisConnection> {
    if (reader?.isOpen) return reader
    reader?.close()
    opening ??= connect(nodes, options, patience, signal).finally(() => {
      opening = undefined
    })
    reader = await opening
    return reader
  }

  return {
    name: 'redis',
    placeOf: placeBy(names),
    async read(keys, signal) {
      const connection = await readerFor(signal)
      const { name } = connection.node
      const limit = fuse(clock, timeoutMs, () => tooSlow(name, timeoutMs), signal)
      try {
        return await unlessAborted(valuesOf(keys, { send: limited(connection, limit), names, skipped }), limit.signal)
      } catch (error) {
        connection.close()
        signal.throwIfAborted()
        throw faultOf(error, name)
      } finally {
        limit.release()
      }
    },
    async watch(keys, changed, signal) {
      let connection: RedisConnection | undefined
      try {
        connection = await connect(nodes, options, LISTENER, signal)
        await unlessAborted(watchOn(connection, { keys, names, changed, log }), signal)
      } catch (error) {
        if (!signal.aborted) throw faultOf(error, connection?.node.name ?? '')
      } finally {
        connection?.close()
      }
    },
    close: async () => reader?.close(),
  }
}

/** Each answer has its time from the last one on. */
function limited(connection: RedisConnection, limit: Fuse): Send {
  return async (...words) => {
    const answer = await connection.send(...words)
    limit.rewind()
    return answer
  }
}

const tooSlow = (name: string, ms: number) =>
  new Fault('STORE_UNREACHABLE', `redis at ${name}: it has not answered within ${ms} ms, the backend-timeout`)
