import { setTimeout as sleep } from 'node:timers/promises'
import type { Built } from '../../src/cluster/port.ts'
import {
  type ApiServer,
  type Call,
  isWatch,
  type Stream,
  scriptedApiServer,
  statusOf,
} from '../support/fakes/api-server.ts'
import { storedTemplate } from './templates.ts'

export interface LivelyApiServer {
  readonly kubeconfig: string
  readonly seen: Readonly<Seen>
  /** From the start events come in a hurry, so that all that is compiled for them soon is. From now on they do not. */
  calmDown(): void
  stop(): Promise<void>
}

interface Seen {
  lists: number
  reads: number
  watches: number
  events: number
}

const EVENTS_MS = 500
const HURRIED_MS = 20
/** A watch then ends in one of these ways, one after the other. */
const WATCH_EVENTS = 20
const ENDS: readonly ((stream: Stream, api: ApiServer) => void)[] = [
  (stream) => stream.end(),
  (stream) => stream.event('ERROR', statusOf(410, 'Expired')),
  (_stream, api) => api.breakAll(),
]

/** An API server with a few templates, one of which changes all the time; watches begin and end as in weeks of a real one. */
export async function livelyApiServer(): Promise<LivelyApiServer> {
  const api = await scriptedApiServer()
  const seen: Seen = { lists: 0, reads: 0, watches: 0, events: 0 }
  let version = 1
  let everyMs = HURRIED_MS

  async function tell({ stream, closed }: Call): Promise<void> {
    const reported = stream()
    const end = ENDS[seen.watches++ % ENDS.length]
    let isOver = false
    void closed.finally(() => (isOver = true))
    for (let i = 0; i < WATCH_EVENTS && !isOver; i += 1) {
      await sleep(everyMs)
      version += 1
      reported.event(...eventAt(i, String(version)))
      seen.events += 1
    }
    if (!isOver) end?.(reported, api)
    reported.end()
  }

  api.always((call) => {
    if (isWatch(call)) return void tell(call)
    const name = /\/ttemplates\/([^/]+)$/.exec(call.path)?.[1]
    if (name !== undefined) {
      seen.reads += 1
      return call.status(404, 'NotFound')
    }
    seen.lists += 1
    const items = NAMES.map((each) => stored(each, '1'))
    call.json(200, { ...LIST, metadata: { resourceVersion: String(version) }, items })
  })
  return {
    kubeconfig: api.kubeconfig(),
    seen,
    calmDown() {
      everyMs = EVENTS_MS
    },
    stop: () => api.stop(),
  }
}

const NAMES = ['root', 'one', 'other']
const LIST = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TTemplateList' }
const COMER = 'comer'

/** Comes, changes, goes; and bookmarks. */
function eventAt(i: number, version: string): readonly [type: string, object: Built | object] {
  const types = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'] as const
  const type = types[i % types.length] ?? 'BOOKMARK'
  if (type !== 'BOOKMARK') return [type, stored(COMER, version)]
  return [type, { apiVersion: LIST.apiVersion, kind: 'TTemplate', metadata: { resourceVersion: version } }]
}

function stored(name: string, resourceVersion: string): Built {
  const { metadata, ...object } = storedTemplate(name, 'root')
  return { ...object, metadata: { ...metadata, uid: `of-${name}`, resourceVersion } }
}
