import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { Fault } from '../faults.ts'
import { notJson } from './decode.ts'
import { Shed } from './gate.ts'
import type { Observer } from './observer.ts'
import { statusBody } from './status-body.ts'

/** The API server sends the same again after so long (AP-4). */
const RETRY_AFTER_SECONDS = 1

/** What is no review is answered with a Status, and never tells of the inside. */
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
}

/** A path is not repeated, nor named: whoever has come here by mistake learns of no other. */
export function answerNowhere(observer: Observer, reply: FastifyReply): FastifyReply {
  const message = 'nothing is served here; reviews are taken by POST at the paths of the webhook configurations'
  const fault = new Fault('PATH_UNKNOWN', message)
  observer.refused(fault, '')
  return send(reply, fault)
}

/** Fastify's own errors in our words. Anything else is a fault of ours, and its message stays inside. */
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
  429: 'TooManyRequests',
  431: 'BadRequest',
}
function reasonOf(code: number): string {
  return REASONS[code] ?? 'InternalError'
}

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT'
const ENDINGS: Readonly<Record<string, { readonly code: number; readonly message: string }>> = {
  [TOO_SLOW]: { code: 408, message: 'the request did not arrive in time' },
  HPE_INVALID_EOF_STATE: { code: 400, message: 'the request ended before its end' },
  HPE_HEADER_OVERFLOW: { code: 431, message: 'the head of the request is too large' },
}
const NO_HTTP = { code: 400, message: 'this is no HTTP/1.1' }

/**
 * A connection that ended before there was a request. One on which nothing ever came is not too slow, it is idle: the
 * API server dials for a review, and pools the new connection unused when an old one comes free first (AP-2). As one
 * that has served it may stay as long as any idle one. Otherwise nothing came because the handshake failed.
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

function lastWords({ code, message }: { readonly code: number; readonly message: string }): string {
  const body = statusBody({ code, reason: reasonOf(code), message })
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
