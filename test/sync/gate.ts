import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Passes bytes on to a port, and can be shut, as a network between two machines. */
export interface Gate {
  readonly port: number
  readonly connections: number
  shut(): Promise<void>
  open(): Promise<void>
}

export async function gateTo(target: number): Promise<Gate> {
  const sockets = new Set<Socket>()
  const pass = (near: Socket) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  }
  let server = await listening(0, pass)
  const port = portOf(server)
  const shut = async () => {
    const closed = once(server.close(), 'close')
    for (const socket of sockets) socket.destroy()
    await closed
  }
  onTestFinished(() => void (server.listening && shut()))
  return {
    port,
    get connections() {
      return sockets.size / 2
    },
    shut,
    async open() {
      server = await listening(port, pass)
    },
  }
}

async function listening(port: number, pass: (socket: Socket) => void): Promise<Server> {
  const server = createServer(pass)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens on no port')
  return address.port
}
