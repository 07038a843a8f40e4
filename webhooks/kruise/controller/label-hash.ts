const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const [OFFSET, PRIME] = [0x811c9dc5, 0x01000193]

/** FNV-1a with 32 bits, over UTF-8. */
export function fnv(text: string): number {
  return new TextEncoder().encode(text).reduce((hash, byte) => Math.imul(hash ^ byte, PRIME) >>> 0, OFFSET)
}

/** The decimal digits of a number in letters that spell no word, as the names of revisions have them. */
export function lettersOf(hash: number): string {
  const letters = Array.from(String(hash), (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length])
  return letters.join('')
}

/** The hash label of a pod (PATCH-HASH-6): a node without patches has that of the template. */
export function labelHashOf(templateHash: string, component: string): string {
  return component === '' ? templateHash : lettersOf(fnv(`${templateHash}-${component}`))
}
