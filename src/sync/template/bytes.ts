/**
 * A byte string has one character for each byte : lengths, indexes and order are those of Go's strings, and
 * values that are no UTF-8 pass unchanged.
 */
export type Bytes = string

export const bytesOf = (text: string): Bytes => (isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1'))

export const textOf = (bytes: Bytes): string => (isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8'))

export const bytesIn = (binary: Uint8Array): Bytes =>
  Buffer.from(binary.buffer, binary.byteOffset, binary.byteLength).toString('latin1')

export const binaryOf = (bytes: Bytes): Uint8Array => Buffer.from(bytes, 'latin1')

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)
