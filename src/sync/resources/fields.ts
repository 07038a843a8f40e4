import { folded } from '../options/config-file.ts'
import { DURATION, FLAG, INTEGER, LIST, TEXT, type ValueKind } from '../options/option.ts'

/** A command is a text for a shell, or a list of words. */
export const COMMAND: ValueKind<string | readonly string[]> = {
  ...TEXT,
  says: 'a string, or a list of strings to run without a shell',
  is: (value): value is string | readonly string[] => TEXT.is(value) || LIST.is(value),
  ofToml: (value) => TEXT.ofToml(value) ?? LIST.ofToml(value),
}

/** The keys of [template] and what they take. */
const FIELDS = {
  src: TEXT,
  dest: TEXT,
  keys: LIST,
  mode: TEXT,
  uid: INTEGER,
  gid: INTEGER,
  prefix: TEXT,
  check_cmd: COMMAND,
  reload_cmd: COMMAND,
  check_cmd_timeout: DURATION,
  reload_cmd_timeout: DURATION,
  debounce: DURATION,
  create_dir: FLAG,
  strict: FLAG,
} as const
const LATER = ['owner', 'group', 'min_reload_interval', 'group_commit', 'rollback', 'backup', 'raw_key']

export interface Fields {
  readonly of: <T>(name: keyof typeof FIELDS, kind: ValueKind<T>) => T | undefined
  readonly wrong: readonly string[]
  readonly unknown: readonly string[]
}

export function fieldsOf(entries: readonly (readonly [string, unknown])[]): Fields {
  const known = new Map<string, unknown>()
  const wrong: string[] = []
  const unknown: string[] = []
  for (const [written, value] of entries) {
    const [name, kind] = Object.entries(FIELDS).find(([each]) => each === folded(written)) ?? []
    if (LATER.includes(folded(written))) wrong.push(`${written} is not supported yet: leave it out`)
    else if (name === undefined || kind === undefined) unknown.push(written)
    else if (kind.ofToml(value) === undefined) wrong.push(`${written}: it takes ${kind.says}${hint(name, value)}`)
    else if (!known.has(name) || written === name) known.set(name, kind.ofToml(value))
  }
  const of = <T>(name: string, kind: ValueKind<T>) => {
    const value = known.get(name)
    return kind.is(value) ? value : undefined
  }
  return { of, wrong, unknown }
}

const hint = (name: string, value: unknown) =>
  name === 'mode' && typeof value === 'bigint' ? ', such as mode = "0644"' : ''
