import type { Bytes } from '../bytes.ts'
import { Failure } from '../failure.ts'
import type { CostMeter } from '../meter.ts'
import { isBroken, runeAt } from '../runes.ts'

/** As Go's path.Match: a star, a question mark and a class stop at slashes or match one rune. */
export function matches(pattern: Bytes, name: Bytes, meter: CostMeter): boolean {
  let rest = name
  for (let at = 0; at < pattern.length; ) {
    const chunk = chunkAt(pattern, at)
    at = chunk.end
    const isLast = at >= pattern.length
    if (chunk.hasStar && chunk.text === '') return !rest.includes('/')
    const left = leftAfter(chunk, rest, isLast, meter)
    if (left === undefined) {
      checkRest(pattern, at, meter)
      return false
    }
    rest = left
  }
  return rest === ''
}

interface Chunk {
  readonly hasStar: boolean
  readonly text: Bytes
  readonly end: number
}

/** Up to the next star that is in no class. */
function chunkAt(pattern: Bytes, from: number): Chunk {
  let start = from
  while (pattern.charAt(start) === '*') start++
  let isInClass = false
  let end = start
  for (; end < pattern.length; end++) {
    const char = pattern.charAt(end)
    if (char === '\\') end++
    else if (char === '[') isInClass = true
    else if (char === ']') isInClass = false
    else if (char === '*' && !isInClass) break
  }
  return { hasStar: start > from, text: pattern.slice(start, end), end: Math.min(end, pattern.length) }
}

/** What is left of the name after the chunk, at the first place where it fits. */
function leftAfter({ hasStar, text }: Chunk, name: Bytes, isLast: boolean, meter: CostMeter): Bytes | undefined {
  for (let skipped = 0; ; skipped++) {
    meter.step(1 + text.length / CHARACTERS_A_STEP)
    const end = endOfMatch(text, name, skipped)
    if (end !== undefined && (!isLast || end === name.length)) return name.slice(end)
    if (!hasStar || skipped >= name.length || name.charAt(skipped) === '/') return undefined
  }
}

const CHARACTERS_A_STEP = 64

/** A pattern is valid or not, whatever the name. */
function checkRest(pattern: Bytes, from: number, meter: CostMeter): void {
  for (let at = from; at < pattern.length; ) {
    const chunk = chunkAt(pattern, at)
    meter.step(1 + chunk.text.length / CHARACTERS_A_STEP)
    endOfMatch(chunk.text, '', 0)
    at = chunk.end
  }
}

/** Where in the name the chunk ends that begins there. The whole chunk is read, so that an error is found. */
function endOfMatch(chunk: Bytes, name: Bytes, from: number): number | undefined {
  let at = from
  let hasFailed = false
  for (let i = 0; i < chunk.length; ) {
    hasFailed ||= at >= name.length
    const char = chunk.charAt(i)
    if (char === '[') {
      const found = classAt(chunk, i, hasFailed ? -1 : runeAt(name, at).code)
      at += hasFailed ? 0 : runeAt(name, at).width
      i = found.end
      hasFailed ||= !found.fits
      continue
    }
    const isEscape = char === '\\'
    if (isEscape && i + 1 >= chunk.length) throw badPattern()
    if (char === '?') {
      hasFailed ||= name.charAt(at) === '/'
      at += hasFailed ? 0 : runeAt(name, at).width
    } else {
      hasFailed ||= name.charAt(at) !== chunk.charAt(isEscape ? i + 1 : i)
      at++
    }
    i += isEscape ? 2 : 1
  }
  return hasFailed ? undefined : at
}

function classAt(chunk: Bytes, from: number, code: number): { readonly end: number; readonly fits: boolean } {
  const isNegated = chunk.charAt(from + 1) === '^'
  let at = from + (isNegated ? 2 : 1)
  let isIn = false
  for (let ranges = 0; ranges === 0 || chunk.charAt(at) !== ']'; ranges++) {
    const low = classRune(chunk, at)
    const high = chunk.charAt(low.end) === '-' ? classRune(chunk, low.end + 1) : low
    isIn ||= low.code <= code && code <= high.code
    at = high.end
  }
  return { end: at + 1, fits: isIn !== isNegated }
}

function classRune(chunk: Bytes, from: number): { readonly code: number; readonly end: number } {
  const char = chunk.charAt(from)
  if (char === '' || char === '-' || char === ']') throw badPattern()
  const at = char === '\\' ? from + 1 : from
  if (at >= chunk.length) throw badPattern()
  const rune = runeAt(chunk, at)
  const end = at + rune.width
  if (isBroken(rune) || end >= chunk.length) throw badPattern()
  return { code: rune.code, end }
}

const badPattern = () => new Failure('syntax error in pattern')
