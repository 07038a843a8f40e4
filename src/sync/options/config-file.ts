import { tableIn } from '../toml.ts'
import type { Given } from './flags.ts'
import type { Option } from './option.ts'
import { ALL } from './options.ts'

export interface InFile {
  readonly given: Given
  /** Keys that nothing reads. */
  readonly unknown: readonly string[]
  /** What makes the file useless. */
  readonly wrong: readonly string[]
}

/** confd.toml (SY-CLI-4): letter case and `-` or `_` make no difference in a key; the exact spelling wins. */
export function optionsIn(text: string): InFile {
  const table = tableIn(text)
  if (!table.ok) return { given: new Map(), unknown: [], wrong: [table.why] }
  const given = new Map<Option<unknown>, unknown>()
  const unknown: string[] = []
  const wrong: string[] = []
  for (const [key, value] of exactLast(table.entries)) {
    const option = ALL.find((each) => each.key !== undefined && folded(each.key) === folded(key))
    if (option === undefined) {
      unknown.push(key)
      continue
    }
    const read = option.kind.ofToml(value)
    if (read === undefined) wrong.push(`${key}: it takes ${option.kind.says}`)
    else given.set(option, read)
  }
  return { given, unknown, wrong }
}

/** It may be a slip in its name. */
export const unknownKey = (key: string) =>
  `unknown key ${JSON.stringify(key.slice(0, 64))}: mend its name, or leave it out`

export const folded = (key: string) => key.toLowerCase().replaceAll('-', '_')

function exactLast(entries: readonly (readonly [string, unknown])[]) {
  const isExact = (key: string) => ALL.some((each) => each.key === key)
  return [...entries].sort(([one], [other]) => Number(isExact(one)) - Number(isExact(other)))
}
