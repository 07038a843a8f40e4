import { once } from 'node:events'
import { createServer, get, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A server behind nginx, which answers with its name. */
export interface Backend {
  readonly address: string
  /** Ends what is under way first. */
  leave(): Promise<void>
}

export async function startBackend(name: string): Promise<Backend> {
  const server: Server = createServer((_, response) => response.end(name))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const leave = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    await closed
  }
  onTestFinished(leave)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens on no port')
  return { address: `127.0.0.1:${address.port}`, leave }
}

/** Requests one after the other in several lanes, until it is stopped. */
export interface Traffic {
  readonly answered: ReadonlyMap<string, number>
  readonly failed: readonly string[]
  stop(): Promise<void>
}

export function trafficTo(url: string, lanes: number): Traffic {
  const answered = new Map<string, number>()
  const failed: string[] = []
  let isOver = false
  const lane = async () => {
    while (!isOver) {
      const { status, body } = await asked(url).catch((error) => ({ status: 0, body: String(error) }))
      if (status === 200) answered.set(body, (answered.get(body) ?? 0) + 1)
      else failed.push(`${status} ${body}`)
      await sleep(2)
    }
  }
  const running = Promise.all(Array.from({ length: lanes }, lane))
  const stop = async () => {
    isOver = true
    await running
  }
  onTestFinished(stop)
  return { answered, failed, stop }
}

/** On a connection of its own: nginx closes idle ones when it reloads, while a request may be on its way. */
export async function asked(url: string): Promise<{ readonly status: number; readonly body: string }> {
  const request = get(url, { agent: false, timeout: 5_000 })
  request.on('timeout', () => request.destroy(new Error('no answer')))
  const [response] = await once(request, 'response')
  return { status: response.statusCode ?? 0, body: await text(response) }
}
