import { setTimeout as sleep } from 'node:timers/promises'
import { kubeCluster } from '../../src/cluster/kube/kube-cluster.ts'
import { Fault } from '../../src/faults.ts'
import { metricsOf } from '../../src/process/metrics.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { type ChangeAnswer, MOST_ATTEMPTS } from '../../webhooks/cloudflare/aggregation/shared-config-map.ts'
import { sourceKey } from '../../webhooks/cloudflare/aggregation/sources.ts'
import { TunnelConfigs } from '../../webhooks/cloudflare/aggregation/tunnel-configs.ts'

// Writers of one tunnel in a process of their own: node source-writers.ts KUBECONFIG NAMESPACE TUNNEL FIRST LAST.
// Each has a store of its own, so nothing groups their writes.

export const SOURCES = 25
/** Known before anybody writes. */
export const staysAtLast = (at: number) => at % 5 !== 4
export const keyOf = (writer: number, at: number) => sourceKey('Ingress', `team-${writer}`, `app-${at}`)
export const hostOf = (writer: number, at: number) => `app-${at}.team-${writer}.example.com`

interface Doing {
  readonly write: (at: number, hostname: string) => Promise<number>
  readonly remove: (at: number) => Promise<number>
}

/** What used up its attempts comes again after a second, as in the queue of the worker; any other failure ends the process. */
function requeued(count: () => void) {
  return async function change(act: () => Promise<ChangeAnswer>): Promise<number> {
    try {
      return (await act()).attempts
    } catch (cause) {
      if (!(cause instanceof Fault) || cause.code !== 'CONFLICT') throw cause
      count()
      await sleep(1_000)
      return MOST_ATTEMPTS + (await change(act))
    }
  }
}

async function writers(): Promise<void> {
  const [kubeconfig, namespace = '', tunnel = '', first, last] = process.argv.slice(2)
  const log = logTo({ write: () => undefined }, 'silent')
  const cluster = await kubeCluster({ kubeconfig, reads: [], metrics: metricsOf(), log, readTimeoutMs: 15_000 })
  const signal = new AbortController().signal
  let requeues = 0
  const context = () => ({
    live: cluster.readers.live,
    writer: cluster.writer,
    signal,
    at: new Date(),
    accountId: 'acc',
  })
  const all = Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => at + Number(first)).map((writer) => {
    const pause = async (ms: number) => void (await sleep(ms))
    const configs = new TunnelConfigs(namespace, { pause, random: Math.random, tick: () => performance.now() })
    const source = (hostname: string) => ({ kind: 'Ingress', rules: [{ hostname, service: 'http://a' }] })
    const change = requeued(() => (requeues += 1))
    return {
      writer,
      write: (at: number, hostname: string) =>
        change(() => configs.writeSourceConfig(tunnel, keyOf(writer, at), source(hostname), context())),
      remove: (at: number) => change(() => configs.removeSourceConfig(tunnel, keyOf(writer, at), context())),
    }
  })
  const pass = async (act: (at: number, doing: Doing, writer: number) => AsyncIterable<number>) => {
    const attempts: number[] = []
    await Promise.all(
      all.map(async ({ writer, ...doing }) => {
        for (let at = 0; at < SOURCES; at += 1) for await (const many of act(at, doing, writer)) attempts.push(many)
      }),
    )
    process.send?.({ attempts, requeues })
  }
  await pass(async function* (at, { write, remove }, writer) {
    yield await write(at, hostOf(writer, at))
    if (Math.random() < 0.2) yield await write(at, `other-${hostOf(writer, at)}`)
    if (Math.random() < 0.2) yield await remove(at)
  })
  await new Promise((resolve) => process.once('message', resolve))
  await pass(async function* (at, { write, remove }, writer) {
    yield staysAtLast(at) ? await write(at, hostOf(writer, at)) : await remove(at)
  })
  cluster.stop()
  process.disconnect?.()
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) await writers()
