import { dial, type Line } from './line.ts'

export interface Load {
  readonly port: number
  readonly ca: string
  /** In turn, on each of the connections. */
  readonly requests: readonly Buffer[]
  readonly connections: number
}
export interface Rate {
  readonly requests: number
  readonly perSecond: number
}

/** Closed loop: each connection asks again as soon as it is answered. */
export async function drive(
  load: Load,
  until: { readonly seconds?: number; readonly requests?: number },
): Promise<Rate> {
  const { seconds = Number.POSITIVE_INFINITY, requests: most = Number.POSITIVE_INFINITY } = until
  const lines = await linesOf(load)
  const started = performance.now()
  const end = started + seconds * 1_000
  let requested = 0
  await Promise.all(
    lines.map(async (line) => {
      while (requested < most && performance.now() < end) await line.ask(inTurn(load.requests, requested++))
    }),
  )
  const elapsed = (performance.now() - started) / 1_000
  for (const line of lines) line.hangUp()
  return { requests: requested, perSecond: requested / elapsed }
}

/**
 * Open loop: a request is due at its time, whether those before it were answered or not, and waits for a free connection.
 * That is the one that was free for longest, for Node closes what is idle for five seconds.
 * Answers how many milliseconds each took from when it was due.
 */
export async function pace(
  load: Load,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<readonly number[]> {
  const lines = await linesOf(load)
  const free = [...lines]
  const due: number[] = []
  const took: number[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const total = perSecond * seconds
  const started = performance.now()
  let scheduled = 0

  function send(): void {
    for (let line = free.shift(); line !== undefined; line = free.shift()) {
      const dueAt = due.shift()
      if (dueAt === undefined) return void free.unshift(line)
      void serve(line, dueAt)
    }
  }
  async function serve(line: Line, dueAt: number): Promise<void> {
    try {
      await line.ask(inTurn(load.requests, took.length))
    } catch (cause) {
      return reject(cause)
    }
    took.push(performance.now() - dueAt)
    free.push(line)
    if (took.length === total) resolve()
    else send()
  }
  const timer = setInterval(() => {
    const now = performance.now()
    for (; scheduled < total && started + (scheduled * 1_000) / perSecond <= now; scheduled += 1)
      due.push(started + (scheduled * 1_000) / perSecond)
    send()
  }, 1)
  await promise.finally(() => clearInterval(timer))
  for (const line of lines) line.hangUp()
  return took
}

function linesOf({ port, ca, connections }: Load): Promise<readonly Line[]> {
  return Promise.all(Array.from({ length: connections }, () => dial(port, ca)))
}

function inTurn(requests: readonly Buffer[], i: number): Buffer {
  return requests[i % requests.length] ?? Buffer.alloc(0)
}
