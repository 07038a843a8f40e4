/** The candidate that is closest to `word`; undefined if none is close enough. */
export function nearest(word: string, among: readonly string[]): string | undefined {
  const [first] = among
    .map((each) => ({ each, apart: editsBetween(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, apart }) => apart <= Math.max(1, Math.floor(each.length / 3)))
    .sort((one, other) => one.apart - other.apart)
  return first?.each
}

/** The edit distance: letters to add, remove or change. */
function editsBetween(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, many) => many)
  for (const [row, letter] of [...one].entries()) {
    const now = [row + 1]
    for (const [at, its] of [...other].entries()) {
      const changed = (before[at] ?? 0) + (letter === its ? 0 : 1)
      now.push(Math.min(changed, (before[at + 1] ?? 0) + 1, (now[at] ?? 0) + 1))
    }
    before = now
  }
  return before.at(-1) ?? 0
}
