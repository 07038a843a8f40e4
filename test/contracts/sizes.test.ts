import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const FILE_LINES = 260
const FUNCTION_LINES = 60
const FILES = globSync('{src,webhooks,certs,test,.config}/**/*.ts')

/**
 * Functions are measured by the indentation that the formatter gives, since TypeScript 7 has no stable API of its
 * compiler: from the line that opens a body to the line that closes it. A list of tests is no function in this sense:
 * the callback of a `describe`, and a function of a contract that declares tests. Each of its tests is one.
 */
const OPENS = /(=>( [({[]+)?|\)(: .+)? \{)$/
const CONTROLS = /^ *(\} )?(if|else|for|while|switch|catch|try|do|describe)\b/
const ENDS_PARAMETERS = /^ *[)}](?![)}\]]*\()/
const DECLARES_TESTS = /^ *(describe|it)(\.\w+)*\(/

describe('no file is above 260 lines, and no function above 60', () => {
  it('in all of src, webhooks, certs, test and .config', () => {
    for (const folder of ['src', 'webhooks', 'certs', 'test', '.config'])
      expect(FILES.filter((file) => file.startsWith(`${folder}/`)).length, folder).toBeGreaterThan(3)
    expect(FILES.flatMap((file) => tooLong(file, readFileSync(file, 'utf8')))).toEqual([])
  })

  it('functions are seen at all', () => {
    const lengths = FILES.flatMap((file) => functionsIn(readFileSync(file, 'utf8').split('\n')))
    expect(lengths.length).toBeGreaterThan(3_000)
  })

  it('a longer file is found', () => {
    expect(tooLong('planted.ts', 'const a = 1\n'.repeat(260))).toEqual([])
    expect(tooLong('planted.ts', 'const a = 1\n'.repeat(261))).toEqual(['planted.ts: 261 lines'])
  })

  it.each([
    { name: 'a function', open: 'export async function long(): Promise<void> {', close: '}' },
    {
      name: 'a function of many parameters',
      open: 'export function long({\n  a,\n}: Given): void {',
      close: '}',
      own: 4,
    },
    { name: 'a method', open: '  private async long({ a }: Given): Promise<void> {', close: '  }' },
    { name: 'an arrow', open: '    const long = (a: string) => {', close: '    }' },
    { name: 'the value of an arrow', open: 'const long = (a: string) => ({', close: '})' },
    { name: 'the text of an arrow', open: 'const long = (a: string) =>', close: '', own: 1 },
    { name: 'a test', open: "  it('is long', async () => {", close: '  })' },
    { name: 'a test of many cases', open: "  it.each([\n    1,\n  ])('is long', (a) => {", close: '  })' },
    { name: 'a hook', open: '  beforeEach(async () => {', close: '  })' },
  ])('a longer function is found: $name', ({ open, close, own = 2 }) => {
    const long = (lines: number) => [open, ...planted(open, lines), close].filter((line) => line !== '').join('\n')
    expect(tooLong('planted.ts', long(60 - own))).toEqual([])
    expect(tooLong('planted.ts', long(61 - own))).toEqual([expect.stringMatching(/^planted\.ts:\d: 61 lines$/)])
  })

  it.each([
    { name: 'a describe', open: "describe('many tests', () => {" },
    { name: 'a describe of many cases', open: "describe.each([\n  1,\n])('many tests', (a) => {" },
    { name: 'a function that declares tests', open: "export function facts(): void {\n  it('is true', () => {})" },
    { name: 'a condition', open: 'if (isLong(text)) {' },
  ])('what is no function may be longer: $name', ({ open }) => {
    expect(tooLong('planted.ts', [open, ...planted(open, 70), '})'].join('\n'))).toEqual([])
  })
})

function planted(open: string, lines: number): readonly string[] {
  return Array.from({ length: lines }, () => `${' '.repeat(indentOf(open) + 2)}act()`)
}

function tooLong(file: string, text: string): readonly string[] {
  const lines = text.trimEnd().split('\n')
  const functions = functionsIn(lines).filter(({ length }) => length > FUNCTION_LINES)
  const own = lines.length > FILE_LINES ? [`${file}: ${lines.length} lines`] : []
  return [...own, ...functions.map(({ at, length }) => `${file}:${at + 1}: ${length} lines`)]
}

function functionsIn(lines: readonly string[]): readonly { readonly at: number; readonly length: number }[] {
  return lines.flatMap((line, opens) => {
    const begins = beginOf(lines, opens)
    if (!OPENS.test(line) || CONTROLS.test(line) || CONTROLS.test(lines[begins] ?? '')) return []
    const ends = endOf(lines, opens)
    const inside = lines.slice(opens + 1, ends).filter((each) => indentOf(each) === indentOf(line) + 2)
    if (inside.some((each) => DECLARES_TESTS.test(each))) return []
    const at = ENDS_PARAMETERS.test(line) ? begins : opens
    return [{ at, length: ends - at + 1 }]
  })
}

/** Where the statement begins whose body a line opens: parameters, or a table of cases, may stand in between. */
function beginOf(lines: readonly string[], opens: number): number {
  const indent = indentOf(lines[opens] ?? '')
  let at = opens
  while (at > 0 && (indentOf(lines[at] ?? '') !== indent || /^ *([)\]}]|$)/.test(lines[at] ?? ''))) at -= 1
  return at
}

/** The line that closes the body, or the last line of a text without brackets. */
function endOf(lines: readonly string[], opens: number): number {
  const line = lines[opens] ?? ''
  const indent = indentOf(line)
  const isOver = (each: string) => each !== '' && indentOf(each) <= indent
  const isClosing = (each: string) => indentOf(each) === indent && /^ *[)\]}]/.test(each)
  const isText = line.endsWith('=>')
  const found = lines.findIndex((each, at) => at > opens && (isText ? isOver(each) : isClosing(each)))
  return found < 0 ? lines.length - 1 : isText ? found - 1 : found
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
