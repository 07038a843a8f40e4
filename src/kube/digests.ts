import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

// Digests of the UTF-8 bytes of a string, in lower-case hex.

export const md5Of = (text: string) => createHash('md5').update(text).digest('hex')
export const sha1Of = (text: string) => createHash('sha1').update(text).digest('hex')
export const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')
/** CRC-32 of IEEE, without leading zeros. */
export const crc32Of = (text: string) => crc32(text).toString(16)
