import { EVERYWHERE, flagOf, SHORT } from '../config.ts'
import type { Family } from '../family.ts'
import type { Command } from './command.ts'
import { familyEntry, isList, type Known, type KnownSetting, knownOf, listed } from './known.ts'

/** A command as a shell completes it. */
export interface Completed {
  readonly name: string
  readonly doc: string
  readonly flags: readonly CompletedFlag[]
  /** What may follow its name, where these are few. */
  readonly words?: readonly string[]
}

export interface CompletedFlag {
  /** With their dashes. */
  readonly names: readonly string[]
  readonly doc: string
  /** One of these words, a path, or what no shell can know. Without it the flag stands alone. */
  readonly takes?: readonly string[] | 'path' | 'text'
  readonly isList: boolean
}

/** By the settings that its help shows. */
export function flagsOf(
  { settings, says = {}, flags = [] }: Pick<Command, 'settings' | 'says' | 'flags'>,
  families: readonly Family[],
): readonly CompletedFlag[] {
  const known: Known = [...knownOf(families), ...flags.map(familyEntry)]
  const meanings = new Map(Object.entries(says))
  return listed([...settings, ...EVERYWHERE], known).map((entry) => flagFor(entry, meanings.get(entry.name)))
}

function flagFor(entry: KnownSetting, says = entry.json.description ?? ''): CompletedFlag {
  const short = SHORT[entry.name]
  const names = [...(short === undefined ? [] : [`-${short}`]), `--${flagOf(entry.name)}`]
  const { enum: words, type } = entry.json.items ?? entry.json
  const flag = { names, doc: says, isList: isList(entry) }
  if (type === 'boolean') return flag
  const isPath = entry.form?.split('|').some((form) => form === 'FILE' || form === 'DIR') === true
  return { ...flag, takes: words?.map(String) ?? (isPath ? 'path' : 'text') }
}
