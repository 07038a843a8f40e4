/** Of memory for each byte of a body: as it comes, as text, and once more in the strings that are parsed out of it. */
export const BYTE = 4
/** For each object or array; `{"9":0}` takes more, `[]` a third. Empty ones are three bytes of text: so much in little. */
const OPENING = 150
/** For each further element or member, while it is parsed. */
const COMMA = 32
/** For each member of an object of so many that it becomes a table, which is copied as it grows; and its key. */
const KEY = 120
const MANY_KEYS = 1_000

/** A body so small is taken for the worst that it can be; to look would cost a good part of what its review does. */
const SMALL = 128 * 1024
const WORST = 24

/** Bytes of memory that the text takes when it is parsed, beside its own: about, and for hostile text rather more. */
export function weightOf(text: string): number {
  return text.length <= SMALL ? text.length * WORST : counted(text)
}

const [QUOTE, BACKSLASH, BRACE, END_OF_BRACE, BRACKET, A_COMMA, COLON] = [34, 92, 123, 125, 91, 44, 58] as const

function counted(text: string): number {
  const outer: number[] = [] // members of the objects around this one
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
  while (outer.length > 0) close() // parsed all the same, until it fails
  return openings * OPENING + commas * COMMA + keys * KEY
}

/** Where its closing quote is; that is one with no backslash before it, or an even number of them. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return text.length
}
