import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { AUTHORITY, aPair } from '../support/certificates.ts'
import { type Cluster, type ClusterFacts, clientOf } from './client.ts'
import { type OurProcess, WORKER } from './product.ts'

/** At which write of a caller something befalls it: before the write is passed on, or before its answer is. */
export interface Moment {
  readonly write: number
  readonly side: 'before' | 'behind'
  /** Counts removals alone. */
  readonly removes?: true
}

/** Both sides of each of so many writes. */
export function momentsOf(writes: number): readonly Moment[] {
  const sides = ['before', 'behind'] as const
  return Array.from({ length: writes }, (_, i) => sides.map((side) => ({ write: i + 1, side }))).flat()
}

/** Stands between one caller and the API server, and counts the writes that pass, but for Leases and Events. */
export interface WriteProxy extends Pick<Cluster, 'kubeconfigFor'> {
  /** Counts from the next write on. At that moment, the call waits until this is done; without an answer, its caller gets none. */
  befall(moment: Moment, act: () => Promise<'answered' | 'unanswered'>): Promise<void>
  /** Calls of this path are passed on so much later from now on. */
  slow(path: string, ms: number): void
  stop(): Promise<void>
}

interface Plan {
  readonly moment: Moment
  readonly act: () => Promise<'answered' | 'unanswered'>
  readonly done: () => void
  seen: number
}

export async function writeProxyTo(facts: ClusterFacts): Promise<WriteProxy> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(facts.ca) })
  let plan: Plan | undefined
  const slowed = new Map<string, number>()

  /** Whether the call goes on. */
  async function met(side: Moment['side'], number: number): Promise<boolean> {
    if (plan === undefined || plan.moment.side !== side || plan.moment.write !== number) return true
    const { act, done } = plan
    plan = undefined
    const outcome = await act()
    done()
    return outcome === 'answered'
  }
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const number = plan !== undefined && isCounted(incoming, plan.moment) ? ++plan.seen : 0
    if (!(await met('before', number))) return void incoming.socket.destroy()
    const { method, headers, url = '' } = incoming
    const lateMs = slowed.get(new URL(url, facts.url).pathname)
    if (lateMs !== undefined) await sleep(lateMs)
    const passed = request(new URL(url, facts.url), { method, headers, agent }).end(body)
    outgoing.once('close', () => passed.destroy()) // a watch ends with its caller
    const [answer]: IncomingMessage[] = await once(passed, 'response')
    if (answer === undefined || !(await met('behind', number))) return void incoming.socket.destroy()
    answer.on('error', () => outgoing.destroy())
    answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers))
    outgoing.flushHeaders()
  }

  const pair = await aPair()
  const server = createServer(pair, (incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const ca = join(facts.folder, 'write-proxy-ca.crt')
  writeFileSync(ca, AUTHORITY.cert)
  return {
    kubeconfigFor: clientOf({ ...facts, url, ca }).kubeconfigFor,
    befall: (moment, act) => new Promise((done) => (plan = { moment, act, done, seen: 0 })),
    slow: (path, ms) => void slowed.set(path, ms),
    async stop() {
      server.closeAllConnections()
      agent.destroy()
      await once(server.close(), 'close')
    },
  }
}

function isCounted({ method = '', url = '' }: IncomingMessage, { removes }: Moment): boolean {
  const isMeant = removes ? method === 'DELETE' : method !== 'GET'
  return isMeant && !/\/(leases|events|serviceaccounts)(\/|$|\?)/.test(url)
}

interface Kill {
  readonly proxy: WriteProxy
  readonly worker: OurProcess<unknown>
}
/** Kills the worker at that moment. */
export const killedAt = (moment: Moment, { proxy, worker }: Kill): Promise<void> =>
  proxy.befall(moment, async () => {
    await worker.stop('SIGKILL')
    return 'unanswered'
  })

/** Starts the next one, which would wait 15 s for the Lease of the killed one. */
export const succeed = (worker: OurProcess<unknown>, cluster: Cluster, ...flags: readonly string[]): Promise<void> =>
  succeedIn(WORKER.namespace, worker, cluster, ...flags)

/** The same where the product is installed in another namespace. */
export async function succeedIn(
  namespace: string,
  worker: OurProcess<unknown>,
  cluster: Cluster,
  ...flags: readonly string[]
): Promise<void> {
  await cluster.kubectl(['delete', 'lease', 'tars-admission-worker', `--namespace=${namespace}`])
  await worker.start(...flags)
}
