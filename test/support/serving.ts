import { once } from 'node:events'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { type AnswererParts, answerer } from '../../src/admission/answer.ts'
import type { Callers } from '../../src/http/callers.ts'
import { Drain } from '../../src/http/drain.ts'
import type { GateLimits } from '../../src/http/intake/gate.ts'
import { observer } from '../../src/http/observer.ts'
import { reviewServer, type Timeouts, type TlsPair } from '../../src/http/review-server.ts'
import type { Sample } from '../../src/metric.ts'
import { type Metrics, metricsOf } from '../../src/process/metrics.ts'
import type { NoticeAbout } from '../../src/reconcile/action.ts'
import { systemClock as clock } from '../../src/timing/clock.ts'
import { answererPartsOf } from './answerer-parts.ts'
import { AUTHORITY, aPair } from './certificates.ts'
import { type Notes, notes } from './notes.ts'
import { type Webhook, WebhookCaller } from './webhook-caller.ts'

interface Wishes extends Partial<AnswererParts> {
  readonly timeouts?: Partial<Timeouts>
  readonly pair?: TlsPair
  readonly limits?: Partial<GateLimits>
  readonly room?: number
  readonly callers?: Callers
  readonly base?: string
  readonly drain?: Drain
  readonly connections?: number
  readonly logEvery?: number
}

/** The server as it is served, on loopback, and an API server beside it. */
export interface Serving extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly port: number
  readonly origin: string
  readonly log: Notes
  readonly metrics: Metrics
  /** What decisions told beside their answers. */
  readonly told: { readonly samples: Sample[]; readonly notices: NoticeAbout[] }
  readonly caller: WebhookCaller
  /** The doors at this path, as the API server knows them. */
  webhook(path: string, wishes?: Partial<Webhook>): Webhook
  /** A connection of one's own, for what no API server would send. */
  dial(options?: ConnectionOptions): Promise<TLSSocket>
  /** The value of one line of /metrics. */
  counted(line: string): Promise<number | undefined>
}

/** Every answer is checked, and no allowed review is logged unless the case says so. */
export async function serving({ pair, logEvery = 1_000_000, ...wishes }: Wishes = {}): Promise<Serving> {
  const reviewing = answererPartsOf(wishes)
  const [log, metrics, caller, answer] = [notes(), metricsOf(), new WebhookCaller(), answerer(reviewing)]
  const told: Serving['told'] = { samples: [], notices: [] }
  const tell = {
    measure: (samples: readonly Sample[]) => void told.samples.push(...samples),
    notify: (notice: NoticeAbout) => told.notices.push(notice),
  }
  const watcher = observer({ log, metrics, clock, answerer: answer, logEvery, checkEvery: 1, ...tell })
  const doors = reviewing.kinds.flatMap((kind) => kind.doors)
  const paths = [...new Set(doors.map(({ path }) => path))]
  const served = pair ?? (await aPair())
  const parts = { paths, answerer: answer, clock, observer: watcher, metrics, pair: served }
  const { timeouts = {}, limits = {}, room, connections, callers, base = '', drain = new Drain(clock) } = wishes
  const most = { ...(room !== undefined && { room }), ...(connections !== undefined && { connections }) }
  const app = await reviewServer({ ...parts, timeouts, limits, callers, base, drain, ...most })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(origin).port)

  return {
    ...{ app, port, origin, log, metrics, told, caller },
    webhook(path, more = {}) {
      const {
        name = 'no.such.door',
        phase = 'validate',
        failurePolicy,
      } = doors.find((door) => door.path === path) ?? {}
      const policy = failurePolicy && { failurePolicy }
      return { name, phase, ...policy, url: origin + path, caBundle: AUTHORITY.cert, ...more }
    },
    async dial(options = {}) {
      const socket = connect({ host: '127.0.0.1', port, ca: AUTHORITY.cert, ALPNProtocols: ['http/1.1'], ...options })
      await once(socket, 'secureConnect')
      return socket
    },
    async counted(line) {
      const lines = (await metrics.registry.metrics()).split('\n')
      const found = lines.find((each) => each.startsWith(`${line} `))
      return found === undefined ? undefined : Number(found.split(' ').at(-1))
    },
    async [Symbol.asyncDispose]() {
      caller.close()
      app.server.closeAllConnections()
      await app.close()
    },
  }
}
