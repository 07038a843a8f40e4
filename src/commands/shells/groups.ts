import type { Completed } from '../completed.ts'

/** What may stand first, each once, with its description: a command, or the first word of several. */
export function firstWords(commands: readonly Completed[]): ReadonlyMap<string, string> {
  const groups = [...groupsOf(commands)].map(([word, all]) => [word, all.map(({ name }) => name).join(', ')] as const)
  const single = commands.flatMap(({ name, doc }) => (name.includes(' ') ? [] : [[name, doc] as const]))
  return new Map([...single, ...groups, ['help', 'names the flags of a command']])
}

/** The commands of two words, by the first of them. */
export function groupsOf(commands: readonly Completed[]): ReadonlyMap<string, readonly Completed[]> {
  return Map.groupBy(
    commands.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0] ?? '',
  )
}

export const secondWord = ({ name }: Completed) => name.split(' ')[1] ?? ''
