/** What the metrics of a worker say of it. */
export interface Scraped {
  /** Of TServers, since it was started. */
  readonly turns: number
  /** Keys that are due. */
  readonly waiting: number
  /** The longest of the event loop since it was asked last. */
  readonly gapMs: number
}

const TURNS = /^tars_worker_reconcile_duration_seconds_count\{controller="tserver",.* (\S+)$/gm
const WAITING = /^tars_worker_queue_depth\{.* (\S+)$/gm
const GAP = /^nodejs_eventloop_lag_max_seconds (\S+)$/gm

export async function scraped(metrics: string): Promise<Scraped> {
  const text = await (await fetch(`${metrics}/metrics`)).text()
  const sum = (lines: RegExp) => [...text.matchAll(lines)].reduce((all, [, value]) => all + Number(value), 0)
  return { turns: sum(TURNS), waiting: sum(WAITING), gapMs: sum(GAP) * 1_000 }
}
