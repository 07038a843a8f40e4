/**
 * Text of objects, as a line: signs that steer a terminal, or turn the order of what is read, are written as escapes, and
 * a very long text is cut.
 */
export function plain(text: string, longest = 400): string {
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text
  return short.replaceAll(STEERING, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}
const STEERING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
