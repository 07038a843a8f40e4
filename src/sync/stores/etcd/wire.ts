/** The wire format of protobuf, as far as the messages of etcd use it. Whole numbers have 64 bits. */

/** An answer that is none. */
export class WireError extends Error {
  override readonly name = 'WireError'
}

const VARINT = 0
const FIXED64 = 1
const LENGTH = 2
const FIXED32 = 5
const LONGEST_VARINT = 10

export const message = (...fields: readonly Buffer[]): Buffer => Buffer.concat(fields)

/** Nothing for 0 and false, which are what an absent field says. */
export function numberField(field: number, value: bigint | boolean): Buffer {
  const bits = BigInt(value)
  return bits === 0n ? Buffer.alloc(0) : message(varint(tag(field, VARINT)), varint(BigInt.asUintN(64, bits)))
}

export function bytesField(field: number, value: Buffer): Buffer {
  return message(varint(tag(field, LENGTH)), varint(BigInt(value.length)), value)
}

const tag = (field: number, type: number) => BigInt((field << 3) | type)

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}

/** A message as it came. Of a field that comes several times the last one counts, as in protobuf; `all` has them all. */
export class Message {
  readonly #numbers = new Map<number, bigint>()
  readonly #bytes = new Map<number, Buffer[]>()

  constructor(bytes: Buffer) {
    const reader = new Reader(bytes)
    while (!reader.isAtEnd()) this.#take(reader)
  }

  number(field: number): bigint {
    return BigInt.asIntN(64, this.#numbers.get(field) ?? 0n)
  }

  flag(field: number): boolean {
    return this.number(field) !== 0n
  }

  bytes(field: number): Buffer {
    return this.all(field).at(-1) ?? Buffer.alloc(0)
  }

  all(field: number): readonly Buffer[] {
    return this.#bytes.get(field) ?? []
  }

  has(field: number): boolean {
    return this.#bytes.has(field)
  }

  #take(reader: Reader): void {
    const head = Number(reader.varint())
    const [field, type] = [Math.floor(head / 8), head % 8]
    if (type === VARINT) this.#numbers.set(field, reader.varint())
    else if (type === LENGTH) this.#push(field, reader.bytes(Number(reader.varint())))
    else if (type === FIXED64) reader.bytes(8)
    else if (type === FIXED32) reader.bytes(4)
    else throw new WireError('a field of a type that there is not')
  }

  #push(field: number, value: Buffer): void {
    const before = this.#bytes.get(field)
    if (before === undefined) this.#bytes.set(field, [value])
    else before.push(value)
  }
}

class Reader {
  readonly #from: Buffer
  #at = 0

  constructor(from: Buffer) {
    this.#from = from
  }

  isAtEnd(): boolean {
    return this.#at >= this.#from.length
  }

  varint(): bigint {
    let value = 0n
    for (let place = 0; place < LONGEST_VARINT; place++) {
      const byte = this.#from[this.#at++]
      if (byte === undefined) throw new WireError('it ends inside a number')
      value |= BigInt(byte & 0x7f) << BigInt(7 * place)
      if (byte < 0x80) return value
    }
    throw new WireError('a number that does not end')
  }

  /** A view, not a copy. */
  bytes(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#from.length) throw new WireError('it ends inside a field')
    const bytes = this.#from.subarray(this.#at, end)
    this.#at = end
    return bytes
  }
}
