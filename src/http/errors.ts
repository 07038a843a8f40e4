import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { Fault } from '../faults.ts'
import { notJson } from './intake/decode.ts'
import { Shed } from './intake/gate.ts'
import type { Observer } from './observer.ts'
import { statusBody } from './status-body.ts'

/** The API server retries after so many seconds (AP-4). */
const RETRY_AFTER_SECONDS = 1

/** Answers requests that are no review with a Status that reveals no internals. */
export function answerErrors(app: FastifyInstance, observer: Observer, base: string): void {
  app.setErrorHandler<FastifyError | Fault>((error, { url }, reply) => {
    const path = url.slice(base.length).split('?', 1)[0] ?? ''
    if (error instanceof Shed) {
      observer.shed(error, path)
      return send(reply.header('retry-after', RETRY_AFTER_SECONDS), error)
    }
    const fault = faultOf(error)
    if (error.code !== 'ECONNRESET') observer.refused(fault, path) // else see endConnections
    return send(reply, fault)
  })
  app.setNotFoundHandler((_request, reply) => answerNowhere(observer, reply))
  endUnasked(app, observer)
}

/** Neither repeats the path nor names another, so that a stray caller learns nothing. */
export function answerNowhere(observer: Observer, reply: FastifyReply): FastifyReply {
  const message = 'nothing is served here; reviews are taken by POST at the paths of the webhook configurations'
  const fault = new Fault('PATH_UNKNOWN', message)
  observer.refused(fault, '')
  return send(reply, fault)
}

/** Translates Fastify's own errors. Any other error is our own fault, and its message is not sent. */
function faultOf(error: FastifyError | Fault): Fault {
  if (error instanceof Fault) return error
  if (error.statusCode === 415) return notJson()
  return new Fault('HANDLER_FAILED', 'tars-admission failed on this request; its log says why', { cause: error })
}

function send(reply: FastifyReply, { status: code, message }: Fault): FastifyReply {
  return reply
    .code(code)
    .type('application/json')
    .send(statusBody({ code, reason: reasonOf(code), message }))
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'Timeout',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  417: 'BadRequest',
  429: 'TooManyRequests',
  431: 'BadRequest',
}
function reasonOf(code: number): string {
  return REASONS[code] ?? 'InternalError'
}

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT'
const bad = (message: string) => ({ code: 400, message })
const ENDINGS: Readonly<Record<string, Ending>> = {
  [TOO_SLOW]: { code: 408, message: 'the request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { code: 431, message: 'the head of the request is too large' },
  HPE_INVALID_EOF_STATE: bad('the request ended before its end'),
  HPE_UNEXPECTED_CONTENT_LENGTH: bad('the head states a second length of the body; Content-Length must stand alone'),
  HPE_INVALID_CONTENT_LENGTH: bad('Content-Length must be one number, and alone to state the length of the body'),
  HPE_INVALID_TRANSFER_ENCODING: bad('Transfer-Encoding must be chunked, and alone to state the length of the body'),
  HPE_INVALID_CHUNK_SIZE: bad('a chunk of the body must begin with its size in hexadecimal digits'),
  HPE_INVALID_HEADER_TOKEN: bad('a header cannot be read: each must be a line of its own, like Name: value'),
  HPE_PAUSED_H2_UPGRADE: bad('HTTP/2 is not spoken here; ask in HTTP/1.1'),
}
const NO_HTTP = bad('this is no HTTP/1.1; a review is sent by POST, its Content-Length the bytes of its body')
interface Ending {
  readonly code: number
  readonly message: string
}

/**
 * Handles a connection that ended before any request. A connection without a byte is not slow but idle: the API server
 * dials for a review, and pools the new connection unused when an old one becomes free first (AP-2). It may stay open
 * as long as any idle one. With any other code the handshake failed before a byte came.
 */
export function endConnections(
  observer: Observer,
  keepAliveMs: number,
): (error: ConnectionError, socket: Socket) => void {
  return ({ code }, socket) => {
    const isUnused = socket.bytesRead === 0
    if (isUnused && code === TOO_SLOW) return void socket.setTimeout(keepAliveMs)
    if (!isUnused && !socket.writableEnded) observer.cutOff(code)
    if (isUnused || code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    socket.end(lastWords(ENDINGS[code] ?? NO_HTTP), () => socket.destroy())
  }
}

/** Without these listeners Node closes such connections itself, without an answer. */
function endUnasked({ server }: FastifyInstance, observer: Observer): void {
  const end =
    (code: string, ending: Ending) => (_request: unknown, on: Socket | { readonly socket: Socket | null }) => {
      observer.cutOff(code)
      const socket = 'socket' in on ? on.socket : on
      socket?.end(lastWords(ending), () => socket.destroy()) // no other code reads from it or notices its end
    }
  server.on('connect', end('PROXY_ASKED', bad('this is no proxy; reviews are sent by POST')))
  server.on('checkExpectation', end('EXPECTATION', { code: 417, message: 'only Expect: 100-continue can be met' }))
}

function lastWords({ code, message }: Ending): string {
  const body = statusBody({ code, reason: reasonOf(code), message })
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
