import { once } from 'node:events'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { type Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { isTree, type Tree } from '../../src/schema.ts'
import { AUTHORITY } from './certificates.ts'

export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: OutgoingHttpHeaders
  /** Several parts go in chunks. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[]
  readonly agent?: Agent
  /** Whom to trust, where it is not the servers of these tests. */
  readonly ca?: string
  /** Who asks, in PEM. */
  readonly pair?: { readonly cert: string; readonly key: string }
}

export interface Reply {
  readonly code: number
  readonly headers: IncomingHttpHeaders
  readonly body: Tree
}

export const JSON_TYPE = { 'content-type': 'application/json' } as const

/** Any request at all, and what is said to it. */
export async function send(origin: string, { method = 'POST', path = '/validating', ...sent }: Sent): Promise<Reply> {
  const { headers = JSON_TYPE, body = '', agent, ca = AUTHORITY.cert, pair = {} } = sent
  const parts = [body].flat()
  const length =
    typeof body === 'string' || body instanceof Uint8Array ? { 'content-length': Buffer.byteLength(body) } : {}
  const asking = request(origin + path, {
    method,
    headers: { ...length, ...headers },
    ca,
    ...pair,
    ...(agent !== undefined && { agent }),
  })
  for (const part of parts) asking.write(part)
  asking.end()
  const [response] = await once(asking, 'response')
  return { code: response.statusCode, headers: response.headers, body: treeIn(await text(response)) }
}

/** Its head has arrived, its body never does. */
export async function unfinishedReview(origin: string, ca: string): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(origin)
  const socket = connect({ host, port: Number(port), ca })
  const head = ['POST /validating HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Content-Length: 9']
  socket.write([...head, 'Expect: 100-continue', '', ''].join('\r\n'))
  await once(socket, 'data')
  return socket
}

/** Everything that comes until the other side ends. */
export async function lastWords(socket: TLSSocket): Promise<{ readonly code: number; readonly body: Tree }> {
  const shown = await text(socket)
  const [head = '', body = ''] = shown.split('\r\n\r\n')
  return { code: Number(head.split(' ')[1]), body: treeIn(body) }
}

function treeIn(shown: string): Tree {
  const body: unknown = shown === '' ? {} : JSON.parse(shown)
  return isTree(body) ? body : {}
}
