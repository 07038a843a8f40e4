import { Fault } from '../../../faults.ts'
import type { Log } from '../../../telemetry/log.ts'
import type { Key } from '../../keys.ts'
import type { RedisConnection } from './connection.ts'
import { keysFor, type Names, patternsOf } from './names.ts'
import { isForbidden } from './troubles.ts'

export interface WatchedPatterns {
  readonly keys: readonly Key[]
  readonly names: Names
  readonly changed: () => void
  readonly log: Log
}

/** They change no value; all other events may (SY-REDIS-8). */
const WITHOUT_EFFECT = ['expire', 'persist']

/** Until the connection ends. */
export async function watchOn(connection: RedisConnection, watched: WatchedPatterns): Promise<void> {
  await requireEvents(connection, watched.log)
  const heard = (event: string) => {
    if (!WITHOUT_EFFECT.includes(event)) watched.changed()
  }
  const keys = keysFor(watched.keys, watched.names)
  await connection.subscribe(patternsOf(keys, connection.node.database, watched.names), heard)
  watched.changed()
  throw await connection.ended
}

/** The server's configuration is read and never changed (SY-REDIS-9). */
async function requireEvents(connection: RedisConnection, log: Log): Promise<void> {
  try {
    const answer = await connection.send('CONFIG', 'GET', 'notify-keyspace-events')
    const flags = Array.isArray(answer) ? String(answer[1] ?? '') : ''
    if (!tellsAll(flags)) throw sendsNone(connection)
  } catch (error) {
    if (!isForbidden(error)) throw error
    log.info({ address: connection.node.name }, 'redis does not say whether it sends events of keys')
  }
}

function tellsAll(flags: string): boolean {
  const has = (flag: string) => flags.includes(flag)
  return has('K') && (has('A') || [...'g$hxe'].every(has))
}

function sendsNone({ node }: RedisConnection): Fault {
  const advice = 'set notify-keyspace-events to KA there, or leave watch out here'
  return new Fault('STORE_SENDS_NO_CHANGES', `redis at ${node.name} sends no events of keys: ${advice}`)
}
