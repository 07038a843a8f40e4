/** Of memory for each byte of a body: as it comes, as text, and once more in the strings that are parsed out of it. */
export const BYTE = 4
/** For each object or array; `{"9":0}` takes more, `[]` a third. Empty ones are three bytes of text: so much in little. */
const OPENING = 150
/** For each further element or member, while it is parsed. */
const COMMA = 32

/** A body so small is taken for the worst that it can be; to look would cost a good part of what its review does. */
const SMALL = 128 * 1024
const WORST = 24

/** Bytes of memory that the text takes when it is parsed, beside its own: about, and for hostile text rather more. */
export function weightOf(text: string): number {
  return text.length <= SMALL ? text.length * WORST : counted(text)
}

const [QUOTE, BACKSLASH, BRACE, BRACKET, A_COMMA] = [34, 92, 123, 91, 44] as const

function counted(text: string): number {
  let [openings, commas] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) at = endOfString(text, at + 1)
    else if (char === BRACE || char === BRACKET) openings += 1
    else if (char === A_COMMA) commas += 1
  }
  return openings * OPENING + commas * COMMA
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
