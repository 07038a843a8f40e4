import { setTimeout as sleep } from 'node:timers/promises'

interface Patience {
  readonly seconds?: number
  /** Gives up at once, for the signal's own reason. */
  readonly unless?: AbortSignal
}

/** Asks again and again; a question that throws counts as not yet, and its error is the cause when time is up. */
export async function until(
  what: string,
  question: () => boolean | Promise<boolean>,
  { seconds = 60, unless }: Patience = {},
): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  let cause: unknown
  while (Date.now() < deadline) {
    unless?.throwIfAborted()
    try {
      if (await question()) return
    } catch (error) {
      cause = error
    }
    await sleep(50)
  }
  throw new Error(`waited ${seconds} s, but not yet: ${what}`, { cause })
}
