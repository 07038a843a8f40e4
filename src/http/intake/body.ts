import type { IncomingMessage } from 'node:http'
import { Fault } from '../../faults.ts'
import { Shed } from './gate.ts'
import type { Room, Share } from './room.ts'
import { BYTE } from './weight.ts'

export const BODY_LIMIT = 8 * 1024 * 1024

/**
 * The memory that all bodies together may take while they are read and reviewed. A pod of 256 MiB has room for this
 * beside the process and its garbage, and the largest possible body still fits.
 */
export const ROOM = 64 * 1024 * 1024

export interface Body {
  readonly text: string
  readonly bytes: number
  /** The caller releases it when the review is answered. */
  readonly share: Share
}

type Done = (error: Error | null, body?: Body) => void

/** The size by Content-Length; undefined for a chunked body. */
export function announced({ headers }: IncomingMessage): number {
  return Math.min(lengthIn(headers), BODY_LIMIT) * BYTE
}

function lengthIn(headers: IncomingMessage['headers']): number {
  return Number(headers['content-length'] ?? 0)
}

export function readBody(request: IncomingMessage, room: Room, began: number, done: Done): void {
  if (lengthIn(request.headers) > BODY_LIMIT) return void done(tooLarge())
  const share = room.share()
  const arrived = room.coming({ began, evict: () => fail(new Shed('memory')) })
  const chunks: Buffer[] = []
  let bytes = 0
  let hasFailed = false

  function take(chunk: Buffer): void {
    if (!share.take(chunk.length * BYTE)) return void fail(new Shed('memory'))
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes > BODY_LIMIT) fail(tooLarge())
  }
  function end(): void {
    arrived()
    request.off('error', fail)
    done(null, { text: textOf(chunks, bytes), bytes, share })
  }
  function fail(error: Error): void {
    if (hasFailed) return // evicted by its own request for room
    hasFailed = true
    arrived()
    request.off('data', take).off('end', end).off('error', fail)
    request.on('error', () => undefined).resume()
    share.giveBack()
    done(error)
  }
  request.on('data', take).once('end', end).once('error', fail)
}

/** Decodes the whole body at once, so that no character is split. */
function textOf(chunks: readonly Buffer[], bytes: number): string {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first.toString() : Buffer.concat(chunks, bytes).toString()
}

function tooLarge(): Fault {
  return new Fault('BODY_TOO_LARGE', `the body is larger than ${BODY_LIMIT} bytes`)
}
