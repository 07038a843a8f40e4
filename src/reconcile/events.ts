import type { Built, ClusterWriter } from '../cluster/port.ts'
import type { Clock } from '../timing/clock.ts'
import { EVENT, type NoticeAbout } from './action.ts'

/** Makes an event of it. False when there is no room for it: then it may come again. */
export type Notify = (notice: NoticeAbout) => boolean

/** The component that events of the worker come from. */
const SOURCE = 'tars-controller'
/** Where events about an object without a namespace go, as those of Kubernetes itself. */
const CLUSTER_SCOPED = 'default'
const EACH_MS = 60_000
const MOST_CHARACTERS = 1_024
const MOST_REMEMBERED = 4_096
const MOST_PENDING = 1_000

export interface EventParts {
  readonly writer: Pick<ClusterWriter, 'create'>
  readonly clock: Clock
  readonly identity: string
  /** The component that they come from, where it is not the worker. */
  readonly source?: string
  /** Tells events of one moment apart. */
  readonly unique: () => string
}

/**
 * Makes events of notices, at most one a minute for each object and reason (WR-6). It does not wait for them. One that is
 * not written is not remembered, so the next notice of its kind is told.
 */
export function eventsTo({ writer, clock, identity, unique, source = SOURCE }: EventParts): Notify {
  const last = new Map<string, number>()
  let pending = 0
  return (notice) => {
    const now = clock.tick()
    const id = JSON.stringify([notice.about.uid, notice.reason])
    if (now - (last.get(id) ?? -EACH_MS) < EACH_MS) return true
    if (pending >= MOST_PENDING) return false
    remember(last, id, now)
    pending += 1
    const event = eventOf(notice, { at: clock.now(), identity, source, suffix: unique() })
    void writer
      .create(EVENT, event)
      .catch(() => last.delete(id))
      .finally(() => {
        pending -= 1
      })
    return true
  }
}

/** The oldest are forgotten first: they are in the order of their time. */
function remember(last: Map<string, number>, id: string, now: number): void {
  last.delete(id)
  last.set(id, now)
  for (const [oldest, at] of last) {
    if (last.size <= MOST_REMEMBERED && now - at < EACH_MS) break
    last.delete(oldest)
  }
}

interface Moment {
  readonly at: Date
  readonly identity: string
  readonly source: string
  readonly suffix: string
}

/** The API server refuses an event in another namespace than that of its object (WK-7). */
function eventOf(
  { type, reason, message, about: { of, ref, uid } }: NoticeAbout,
  { at, identity, source, suffix }: Moment,
): Built {
  const namespace = ref.namespace || CLUSTER_SCOPED
  const time = `${at.toISOString().slice(0, 19)}Z`
  const apiVersion = of.group === '' ? of.version : `${of.group}/${of.version}`
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace, name: `${ref.name.slice(0, 200).replace(/\.+$/, '')}.${suffix}` },
    involvedObject: { apiVersion, kind: of.kind, namespace, name: ref.name, uid },
    type,
    reason,
    message: cut(message),
    source: { component: source },
    reportingComponent: source,
    reportingInstance: identity.slice(0, 128),
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  }
}

/** At a boundary of characters: half of a pair would be no text. */
function cut(message: string): string {
  return [...message.slice(0, MOST_CHARACTERS * 2)].slice(0, MOST_CHARACTERS).join('')
}
