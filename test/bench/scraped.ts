/** What the metrics of a worker say of it. */
export interface Scraped {
  /** Of one controller, since it was started. */
  readonly turns: number
  /** Keys that are due. */
  readonly waiting: number
  /** The longest of the event loop since it was asked last. */
  readonly gapMs: number
}

const turnsOf = (controller: string) =>
  new RegExp(`^tars_worker_reconcile_duration_seconds_count\\{controller="${controller}",.* (\\S+)$`, 'gm')
const WAITING = /^tars_worker_queue_depth\{.* (\S+)$/gm
const GAP = /^nodejs_eventloop_lag_max_seconds (\S+)$/gm

export async function scraped(metrics: string, controller = 'tserver'): Promise<Scraped> {
  const text = await (await fetch(`${metrics}/metrics`)).text()
  const sum = (lines: RegExp) => [...text.matchAll(lines)].reduce((all, [, value]) => all + Number(value), 0)
  return { turns: sum(turnsOf(controller)), waiting: sum(WAITING), gapMs: sum(GAP) * 1_000 }
}
