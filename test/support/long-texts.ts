/** What expressions are written for, and a letter of three bytes. */
export const CHARACTERS = ['/', '.', '-', '_', 'a', '0', ' ', '服'] as const
type Character = (typeof CHARACTERS)[number]

/** Of one character; the same followed, preceded and interrupted by a sign that belongs to no word. */
export function longTexts(character: Character, length: number): readonly string[] {
  const [more, half] = [character.repeat(length - 1), character.repeat(length / 2)]
  return [character + more, `${more}!`, `!${more}`, `${half}!${half.slice(1)}`]
}
