import { once } from 'node:events'
import { connect, createServer } from 'node:tls'
import type { KeyPair } from '../../certs/pair.ts'

interface Caller {
  readonly ca: string
  /** A DNS name, or an address; what the caller believes to talk to. */
  readonly host: string
}

/** A real handshake on loopback: `verified`, or the code of what the caller found wrong. */
export async function handshake({ cert, key }: KeyPair, { ca, host }: Caller): Promise<string> {
  const server = createServer({ cert, key }, (socket) => socket.end())
  server.on('tlsClientError', () => undefined) // the caller says it better
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const named = /^[\d.]+$/.test(host) ? {} : { servername: host }
  const socket = connect({ host: '127.0.0.1', port, ca, ...named })
  try {
    await once(socket, 'secureConnect')
    return 'verified'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'failed'
  } finally {
    socket.destroy()
    server.close()
  }
}
