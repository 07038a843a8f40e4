const WORD = /[\p{L}\p{N}]{3,}/gu

/** What a command wrote, with each word left out that a value has and the author of the files has not written. */
export function outputWithout(output: string, values: Iterable<string>, written: readonly string[]): string {
  const authored = new Set(written.flatMap((text) => text.match(WORD) ?? []))
  const suspects = new Set((output.match(WORD) ?? []).filter((word) => !authored.has(word)))
  const secret = new Set<string>()
  for (const value of values) {
    for (const [word] of Buffer.from(value, 'latin1').toString().matchAll(WORD))
      if (suspects.has(word)) secret.add(word)
  }
  return output.replace(WORD, (word) => (secret.has(word) ? '…' : word))
}
