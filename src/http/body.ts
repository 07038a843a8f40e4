import type { IncomingMessage } from 'node:http'
import { Fault } from '../faults.ts'
import { Shed } from './gate.ts'

export const BODY_LIMIT = 8 * 1024 * 1024

/**
 * What all bodies together may take while they are read and worked on. A review takes four times its body, so a pod of 256 MiB
 * has room for this beside itself, and the largest of bodies still comes in.
 */
export const ROOM = 32 * 1024 * 1024

/** Memory for bodies, by what has really come: whoever announces much and sends little takes little. */
export class Room {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  has(bytes: number): boolean {
    return bytes <= this.#left
  }

  take(bytes: number): boolean {
    if (!this.has(bytes)) return false
    this.#left -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }
}

export interface Body {
  readonly text: string
  /** To be given back to the room when the review is answered. */
  readonly bytes: number
}

type Done = (error: Error | null, body?: Body) => void

/** What the head of a request says of its body; nothing when that comes in chunks. */
export function announced({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}

export function readBody(request: IncomingMessage, room: Room, done: Done): void {
  if (announced(request) > BODY_LIMIT) return void done(tooLarge())
  const chunks: Buffer[] = []
  let bytes = 0

  function take(chunk: Buffer): void {
    if (!room.take(chunk.length)) return void fail(new Shed('memory'))
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes > BODY_LIMIT) fail(tooLarge())
  }
  function end(): void {
    request.off('error', fail)
    done(null, { text: textOf(chunks, bytes), bytes })
  }
  function fail(error: Error): void {
    request.off('data', take).off('end', end).off('error', fail)
    request.on('error', () => undefined).resume()
    room.giveBack(bytes)
    done(error)
  }
  request.on('data', take).once('end', end).once('error', fail)
}

/** Decoded whole, so that no character is cut. */
function textOf(chunks: readonly Buffer[], bytes: number): string {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first.toString() : Buffer.concat(chunks, bytes).toString()
}

function tooLarge(): Fault {
  return new Fault('BODY_TOO_LARGE', `the body is larger than ${BODY_LIMIT} bytes`)
}
