import type { TLSSocket } from 'node:tls'
import { isTree, type Tree } from '../../../src/schema.ts'

export type Bytes = string | Uint8Array

export interface Reply {
  readonly code: number
  readonly headers: string
  readonly text: string
  /** Empty where it is no JSON object. */
  readonly body: Tree
}

/** One connection on which anything may be written, and the answers as they come, each of which states its length. */
export class Wire {
  readonly #socket: TLSSocket
  readonly #chunks: AsyncIterator<Buffer>
  #unread = Buffer.alloc(0)

  constructor(socket: TLSSocket) {
    this.#socket = socket
    this.#chunks = socket[Symbol.asyncIterator]()
  }

  write(...parts: readonly Bytes[]): void {
    for (const part of parts) if (this.#socket.writable) this.#socket.write(part)
  }

  /** Nothing more comes from this side. */
  end(): void {
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** The next answer, `100 Continue` aside; nothing if the other side closes. */
  async next(): Promise<Reply | undefined> {
    for (;;) {
      const shown = this.#taken()
      if (shown !== undefined && shown.code !== 100) return shown
      if (shown === undefined && !(await this.#more())) return undefined
    }
  }

  #taken(): Reply | undefined {
    const end = this.#unread.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const headers = this.#unread.toString('latin1', 0, end)
    const isChunked = /^transfer-encoding: chunked$/im.test(headers)
    const length = isChunked ? '0\r\n\r\n'.length : Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0)
    const start = end + 4
    if (this.#unread.length < start + length) return undefined
    const text = isChunked ? '' : this.#unread.toString('utf8', start, start + length)
    this.#unread = this.#unread.subarray(start + length)
    return { code: Number(headers.split(' ')[1]), headers, text, body: treeIn(text) }
  }

  async #more(): Promise<boolean> {
    try {
      const { value, done } = await this.#chunks.next()
      if (done === true) return false
      this.#unread = Buffer.concat([this.#unread, value])
      return true
    } catch {
      return false // reset: whoever still writes to a connection that was closed learns of it so
    }
  }
}

function treeIn(text: string): Tree {
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : {}
  return isTree(body) ? body : {}
}

/** A request by POST with a body, whatever the head says besides. */
export function posting(body: Bytes, { path = '/validating', type = 'application/json', ...more }: Head = {}): Buffer {
  const { head = [], length = `Content-Length: ${Buffer.byteLength(body)}` } = more
  const lines = [`POST ${path} HTTP/1.1`, 'Host: us', ...(type === '' ? [] : [`Content-Type: ${type}`]), ...head]
  const top = [...lines, ...(length === '' ? [] : [length]), '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(top, 'latin1'), Buffer.from(body)])
}
interface Head {
  readonly path?: string
  /** Left out where empty, as is the length. */
  readonly type?: string
  readonly length?: string
  readonly head?: readonly string[]
}

export function chunked(...parts: readonly string[]): string {
  return parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('')
}
