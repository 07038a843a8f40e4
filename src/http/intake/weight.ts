/** Bytes of memory per byte of body: as a buffer, as a string, and again in the parsed strings. */
export const BYTE = 4
/** Per object or array; `{"9":0}` takes more, `[]` a third. An empty one with its comma is three bytes of text. */
const OPENING = 150
/** Per further element or member, during parsing. */
const COMMA = 32
/** Per member, with its key, of an object so large that it becomes a hash table, which is copied as it grows. */
const KEY = 120
const MANY_KEYS = 1_000

/** A small body counts at the worst rate, since counting would take a good part of the time of its review. */
const SMALL = 128 * 1024
const WORST = 24

/** Estimates the bytes that parsing the text takes beside the text itself; rather too many for hostile text. */
export function weightOf(text: string): number {
  return text.length <= SMALL ? text.length * WORST : counted(text)
}

const [QUOTE, BACKSLASH, BRACE, END_OF_BRACE, BRACKET, A_COMMA, COLON] = [34, 92, 123, 125, 91, 44, 58] as const

function counted(text: string): number {
  const outer: number[] = [] // member counts of the enclosing objects
  let [openings, commas, members, keys] = [0, 0, 0, 0]
  const close = () => {
    if (members > MANY_KEYS) keys += members
    members = outer.pop() ?? 0
  }
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) at = endOfString(text, at + 1)
    else if (char === A_COMMA) commas += 1
    else if (char === COLON) members += 1
    else if (char === BRACKET) openings += 1
    else if (char === BRACE) {
      openings += 1
      outer.push(members)
      members = 0
    } else if (char === END_OF_BRACE) close()
  }
  while (outer.length > 0) close() // JSON.parse too builds an unclosed object before it fails
  return openings * OPENING + commas * COMMA + keys * KEY
}

/** The index of the closing quote, which an even number of backslashes precedes. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return text.length
}
