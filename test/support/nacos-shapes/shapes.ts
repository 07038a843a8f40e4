import { merge } from '../../../webhooks/nacos/config/merge.ts'
import { protectedKeysOf } from '../../../webhooks/nacos/config/protected.ts'

/** Of the merged text. */
const SIZE = 990_000
const filled = (line: (i: number) => string, wide = (text: string) => text) =>
  Array.from({ length: Math.floor(SIZE / Buffer.byteLength(wide(line(100_000)))) }, (_, i) => line(i)).join('')

export interface Shape {
  readonly name: string
  readonly text: string
  /** What is merged of it, if not the text as it is. */
  readonly merged?: string
  readonly held?: string
  /** The findings, each once. */
  readonly codes?: readonly string[]
}
const plain = filled((i) => `key.number-${i}=value\n`)
const escapedAs = (text: string) =>
  text.replaceAll('中', '\\u4e2d').replaceAll('\ud800', '\\ud800').replaceAll('\udc00', '\\udc00')
function foreign(name: string, line: (i: number) => string): Shape {
  const text = filled(line, escapedAs)
  return { name, text, merged: escapedAs(text), codes: ['W3'] }
}
const remarks = `${filled(() => '# 注释\n')}a=1\n`
const repeated = filled(() => '__proto__=1\nconstructor=2\ntoString.__proto__[0]=3\n')
const unfinished = ['\\u', '\\u0', '\\u00', '\\u004'].map((end) => ({
  name: `a malformed escape at the end: ${end}`,
  text: `a=${'x'.repeat(900_000)}${end}`,
  held: 'ConfigMap "team" key "u" line 1: malformed \\uxxxx escape',
  codes: ['E1'],
}))

/** Sources of about a megabyte. */
export const SHAPES: readonly Shape[] = [
  { name: 'many lines', text: plain },
  { name: '10,000 lines', text: Array.from({ length: 10_000 }, (_, i) => `k${i}=${'v'.repeat(90)}\n`).join('') },
  { name: 'CRLF', text: plain.replaceAll('\n', '\r\n'), merged: plain },
  { name: 'a byte order mark', text: `\ufeff${plain}`, merged: plain },
  foreign('text outside of ASCII', (i) => `中${i}=中中中中\n`),
  foreign('lone surrogates', (i) => `k${i}=\ud800 \udc00\n`),
  { name: 'comments outside of ASCII', text: remarks },
  { name: 'one line of 900 kB', text: `a=${'x'.repeat(900_000)}\n` },
  { name: 'keys such as __proto__', text: repeated, codes: ['W2'] },
  ...unfinished,
]

const KEYS = protectedKeysOf(['server.*', 'db.url'])
export const mergedOf = (text: string) => merge([{ owner: 'user', name: 'team', key: 'u', text }], KEYS)
