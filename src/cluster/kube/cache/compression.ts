// LZ77 with a dictionary, as deflate has it without its codes. `node:zlib` compresses to half of that, but makes a stream for
// each text: thousands of them leave more memory behind than they save (measured).
//
// A text is its length, in 4 bytes, and then pieces: a byte below 128 is followed by one character more than it says; any
// other copies what stood before, and is followed by the distance, in 2 bytes. 255 has a longer length, in 2 bytes.

const LEAST_COPIED = 4
const WINDOW = 65_536
const HASH_BITS = 12
/** How many places are looked at for the longest copy. */
const DEPTH = 16
const COPY = 128
const LONG = 127
const NOWHERE = -1

/** One text at a time is compressed or expanded, so these serve all. */
let bytes = Buffer.alloc(WINDOW)
let out = Buffer.alloc(WINDOW)
const heads = new Int32Array(1 << HASH_BITS)
const before = new Int32Array(WINDOW)

/** Compresses texts that are like its dictionary, to one byte for each character of the answer. */
export class Compression {
  readonly #dictionary: Buffer
  readonly #heads: Int32Array
  readonly #before: Int32Array

  /** At most 8,000 bytes of the dictionary count. */
  constructor(dictionary: string) {
    this.#dictionary = Buffer.from(dictionary).subarray(-8_000)
    this.#begin(0)
    heads.fill(NOWHERE)
    for (let at = 0; at + LEAST_COPIED <= this.#dictionary.length; at += 1) note(at)
    this.#heads = heads.slice()
    this.#before = before.slice(0, this.#dictionary.length)
  }

  compress(text: string): string {
    const size = Buffer.byteLength(text)
    const start = this.#begin(size)
    bytes.write(text, start)
    heads.set(this.#heads)
    before.set(this.#before)
    const most = size + Math.ceil(size / COPY) + 4
    if (out.length < most) out = Buffer.alloc(most)
    return out.toString('latin1', 0, piecesOf(start, start + size, out.writeUInt32LE(size)))
  }

  expand(compressed: string): string {
    const size = numberAt(compressed, 0) + numberAt(compressed, 2) * WINDOW
    const start = this.#begin(size)
    let at = start
    for (let from = 4; from < compressed.length; ) {
      const head = compressed.charCodeAt(from)
      if (head < COPY) {
        for (const end = from + head + 2; ++from < end; ) bytes[at++] = compressed.charCodeAt(from)
        continue
      }
      const isLong = head === COPY + LONG
      const length = LEAST_COPIED + head - COPY + (isLong ? numberAt(compressed, from + 3) : 0)
      const distance = numberAt(compressed, from + 1)
      for (const end = at + length; at < end; at += 1) bytes[at] = bytes[at - distance] ?? 0
      from += isLong ? 5 : 3
    }
    return bytes.toString('utf8', start, at)
  }

  /** Answers where a text of that many bytes stands, behind the dictionary. */
  #begin(size: number): number {
    const start = this.#dictionary.length
    if (bytes.length < start + size) bytes = Buffer.alloc(start + size)
    return this.#dictionary.copy(bytes)
  }
}

/** Writes from `to` on; answers where that ends. */
function piecesOf(start: number, end: number, to: number): number {
  let from = start
  let last = to
  for (let at = start; at + LEAST_COPIED <= end; ) {
    const source = longestFor(at, end)
    const length = source === NOWHERE ? 0 : lengthOf(source, at, end)
    if (length >= LEAST_COPIED) {
      last = putCopy(at - source, length, putText(from, at, last))
      from = at + length
    }
    for (const next = at + Math.max(1, length); at < next; at += 1) if (at + LEAST_COPIED <= end) note(at)
  }
  return putText(from, end, last)
}

function longestFor(at: number, end: number): number {
  let best = NOWHERE
  let most = LEAST_COPIED - 1
  let source = heads[hashAt(at)] ?? NOWHERE
  for (let depth = 0; source > at - WINDOW && source !== NOWHERE && depth < DEPTH; depth += 1) {
    const length = bytes[source + most] === bytes[at + most] ? lengthOf(source, at, end) : 0
    if (length > most) {
      best = source
      most = length
    }
    const earlier = before[source % WINDOW] ?? NOWHERE
    source = earlier < source ? earlier : NOWHERE
  }
  return best
}

function lengthOf(source: number, at: number, end: number): number {
  const most = Math.min(end - at, WINDOW - 1)
  let length = 0
  while (length < most && bytes[source + length] === bytes[at + length]) length += 1
  return length
}

function note(at: number): void {
  const hash = hashAt(at)
  before[at % WINDOW] = heads[hash] ?? NOWHERE
  heads[hash] = at
}

function hashAt(at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  const high = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8)
  return Math.imul(low | (high << 16), 0x9e3779b1) >>> (32 - HASH_BITS)
}

function putText(from: number, end: number, to: number): number {
  let last = to
  for (let at = from; at < end; at += COPY) {
    const length = Math.min(COPY, end - at)
    out[last++] = length - 1
    last += bytes.copy(out, last, at, at + length)
  }
  return last
}

function putCopy(distance: number, length: number, to: number): number {
  const more = length - LEAST_COPIED
  out[to] = COPY + Math.min(more, LONG)
  const last = out.writeUInt16LE(distance, to + 1)
  return more < LONG ? last : out.writeUInt16LE(more - LONG, last)
}

function numberAt(text: string, at: number): number {
  return text.charCodeAt(at) + text.charCodeAt(at + 1) * 256
}
