import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Proxy {
  readonly url: string
  /** How often it was asked to CONNECT. */
  readonly tunnels: number
  stop(): Promise<void>
}

export async function tunnelingProxy(): Promise<Proxy> {
  let tunnels = 0
  const server = createServer()
  server.on('connect', ({ url = '' }, client) => {
    tunnels += 1
    const [host, port] = url.split(':')
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(client).pipe(target)
    })
    for (const end of [client, target])
      end.on('error', () => {}).on('close', () => [client, target].map((each) => each.destroy()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    get tunnels() {
      return tunnels
    },
    async stop() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

/** A line between a client and a server on this machine, which a test can spoil. */
export interface Link {
  readonly port: number
  /** How many there have been. */
  readonly connections: number
  /** What connects from now on gets through. What fell into a hole stays there. */
  heal(): void
  /** Every connection is reset, and each new one as well. */
  cut(): void
  /** Packets vanish: nothing arrives any more, and nobody is told. */
  hole(): void
  /** What the server says arrives a byte every so many milliseconds. */
  trickle(ms: number): void
  stop(): Promise<void>
}

type Weather = 'fair' | 'cut' | 'hole' | 'trickle'

export async function linkTo(targetPort: number): Promise<Link> {
  const pairs = new Set<Pair>()
  let weather: Weather = 'fair'
  let byteMs = 0
  let connections = 0
  const server = createTcpServer((client) => {
    connections += 1
    if (weather === 'cut') return void client.resetAndDestroy()
    const pair = new Pair(client, connect(targetPort, '127.0.0.1'))
    pairs.add(pair)
    client.once('close', () => pairs.delete(pair))
    if (weather === 'hole') pair.lose()
    if (weather === 'trickle') pair.slowDown(byteMs)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const become = (next: Weather, change: (pair: Pair) => void) => {
    weather = next
    for (const pair of pairs) change(pair)
  }
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    get connections() {
      return connections
    },
    heal: () => become('fair', (pair) => pair.slowDown(0)),
    cut: () => become('cut', (pair) => pair.reset()),
    hole: () => become('hole', (pair) => pair.lose()),
    trickle(ms) {
      byteMs = ms
      become('trickle', (pair) => pair.slowDown(ms))
    },
    async stop() {
      for (const pair of pairs) pair.reset()
      await once(server.close(), 'close')
    },
  }
}

/** Both ends of one connection. */
class Pair {
  readonly #client: Socket
  readonly #target: Socket
  #isLost = false
  #byteMs = 0

  constructor(client: Socket, target: Socket) {
    this.#client = client
    this.#target = target
    client.on('data', (bytes) => this.#isLost || target.write(bytes)).on('close', () => target.destroy())
    for (const end of [client, target]) end.on('error', () => {})
    void this.#carryBack()
  }

  slowDown(byteMs: number): void {
    this.#byteMs = byteMs
  }

  lose(): void {
    this.#isLost = true
  }

  reset(): void {
    for (const end of [this.#client, this.#target]) end.resetAndDestroy()
  }

  async #carryBack(): Promise<void> {
    try {
      for await (const bytes of this.#target) await this.#carry(bytes)
      if (!this.#isLost) this.#client.end()
    } catch {
      if (!this.#isLost) this.#client.resetAndDestroy()
    }
  }

  async #carry(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !this.#isLost && !this.#client.destroyed; ) {
      const end = this.#byteMs === 0 ? bytes.length : at + 1
      this.#client.write(bytes.subarray(at, end))
      at = end
      if (this.#byteMs > 0) await sleep(this.#byteMs)
    }
  }
}
