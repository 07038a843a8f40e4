/** How often pods of a node failed, and how long the next one stays. */
export type NodeFailures = Readonly<Record<string, { readonly count: number; readonly untilMs: number }>>

const [FIRST_MS, LONGEST_MS] = [1_000, 900_000]

export interface FailedNow<P> {
  readonly remove: readonly P[]
  readonly waiting: NodeFailures
  readonly againInMs?: number
}

/** Failed pods of a node are removed after 1 s, 2 s, … 15 min: a kubelet may refuse each of them (PATCH-CTL-15). */
export function afterFailures<P>(
  failed: readonly { readonly node: string; readonly pod: P }[],
  before: NodeFailures,
  nowMs: number,
): FailedNow<P> {
  const waiting = new Map(Object.entries(before).filter(([, { untilMs }]) => untilMs + LONGEST_MS > nowMs))
  const remove: P[] = []
  const waits: number[] = []
  for (const { node, pod } of failed) {
    const { count, untilMs } = waiting.get(node) ?? { count: 0, untilMs: 0 }
    if (untilMs > nowMs) {
      waits.push(untilMs - nowMs)
      continue
    }
    remove.push(pod)
    waiting.set(node, { count: count + 1, untilMs: nowMs + Math.min(FIRST_MS * 2 ** count, LONGEST_MS) })
  }
  return { remove, waiting: Object.fromEntries(waiting), ...(waits.length > 0 && { againInMs: Math.min(...waits) }) }
}
