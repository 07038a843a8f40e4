import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'

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
