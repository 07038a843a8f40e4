import { parseArgs } from 'node:util'
import {
  type Config,
  ENV_PREFIX,
  EVERYWHERE,
  envOf,
  flagOf,
  type Listed,
  SECRET,
  SHORT,
  takes,
  UsageError,
} from '../config.ts'
import type { JsonSchema } from '../schema.ts'
import { settingsOf } from '../setting.ts'
import { defaultsOf, isList, isOwn, type Known, type KnownSetting, knownOf, listed } from './known.ts'

type RawSettings = Readonly<Record<string, unknown>>
export interface Sources {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads the file that `--config` names. */
  readonly readFile: (path: string) => unknown
  /** The settings of the command, and its own defaults. */
  readonly names: readonly Listed[]
  readonly usual?: Partial<Config>
  /** All that may be set. */
  readonly known?: Known
  /** The command takes words that belong to no flag. */
  readonly takesWords?: boolean
}

export function configFrom(sources: Sources): Config {
  return settled(sources).config
}

export interface Settled {
  readonly config: Config
  /** The settings that the user set: a default and the same value set by hand may differ. */
  readonly explicit: ReadonlySet<string>
  readonly words: readonly string[]
}

/** Flags go before the environment, that before the file, that before the defaults (CV-5). */
export function settled(sources: Sources): Settled {
  const { args, env, readFile, names, usual = {}, known = knownOf([]), takesWords } = sources
  const words: string[] | undefined = takesWords ? [] : undefined
  const flags = flagsOf(args, listed([...EVERYWHERE, ...names], known), words)
  const variables = variablesOf(env, known)
  const { config: path } = { ...variables, ...flags }
  const written = typeof path === 'string' ? keysOf(readFile(path), path, known) : {}
  const merged = { ...written, ...variables, ...flags }
  const values = { ...defaultsOf(known), ...usual, ...merged }
  if (!isOwn(values)) throw new UsageError('the settings do not fit together') // each was checked as it was read
  for (const value of Object.values(values)) Object.freeze(value)
  const config = Object.freeze({ ...values, settings: settingsOf(merged) })
  return { config, explicit: new Set(Object.keys(merged)), words: words ?? [] }
}

function flagsOf(args: readonly string[], entries: Known, words: string[] | undefined): RawSettings {
  const values = [...wordsByFlag(args, entries, words)].map(([entry, texts]) => {
    const raw = isList(entry) ? texts.join() : texts.at(-1)
    return [entry.name, read(entry, raw, `--${flagOf(entry.name)}`)] as const
  })
  return Object.fromEntries(values)
}

/** Further words after the value of a list belong to it: a shell expands `-f *.yaml`. Others are those of the command. */
function wordsByFlag(
  args: readonly string[],
  entries: Known,
  own: string[] | undefined,
): ReadonlyMap<KnownSetting, readonly string[]> {
  const options = Object.fromEntries(entries.map((entry) => [flagOf(entry.name), optionOf(entry)]))
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const words = new Map<KnownSetting, readonly string[]>()
  let last: KnownSetting | undefined
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'option') last = flagged(token, entries)
    else if (last === undefined || !isList(last)) {
      if (own === undefined) throw new UsageError(`"${token.value}" belongs to no flag; --help names the flags`)
      own.push(token.value)
      continue
    }
    words.set(last, [...(words.get(last) ?? []), token.kind === 'option' ? wordOf(last, token) : token.value])
  }
  return words
}

function optionOf({ name, json }: KnownSetting) {
  const short = SHORT[name]
  const type = json.type === 'boolean' ? ('boolean' as const) : ('string' as const)
  return { type, ...(short !== undefined && { short }) }
}

interface Token {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function flagged({ name: flag, rawName }: Token, entries: Known): KnownSetting {
  const entry = entries.find(({ name }) => flagOf(name) === flag)
  if (entry === undefined) throw new UsageError(`${rawName} is no flag of this command; --help names its flags`)
  return entry
}

function wordOf(entry: KnownSetting, { rawName, value, inlineValue = false }: Token): string {
  if (entry.json.type === 'boolean') return value ?? 'true'
  const isNextFlag = !inlineValue && value !== '-' && value?.startsWith('-') === true
  if (value === undefined || isNextFlag)
    throw new UsageError(`${rawName} takes ${takes(entry)}, and nothing follows it`)
  return rawName.startsWith('--') ? value : value.replace(/^=/, '') // -o=json, as in kubectl
}

/** An empty variable counts as unset. */
function variablesOf(env: Sources['env'], entries: Known): RawSettings {
  const ours = Object.entries(env).filter(([key, raw]) => key.startsWith(ENV_PREFIX) && raw)
  return Object.fromEntries(
    ours.map(([key, raw]) => {
      const entry = known({ key, spell: envOf, what: key }, entries)
      return [entry.name, read(entry, raw, key)]
    }),
  )
}

function keysOf(content: unknown, path: string, entries: Known): RawSettings {
  if (content === null || content === undefined) return {}
  if (typeof content !== 'object' || Array.isArray(content))
    throw new UsageError(`${path} must hold settings by name, like "port: 9443"`)
  return Object.fromEntries(
    Object.entries(content).map(([key, raw]) => {
      const what = `${key} in ${path}`
      const entry = known({ key, spell: keyOf, what }, entries)
      return [entry.name, read(entry, raw, what)]
    }),
  )
}
/** A file cannot name another file. */
const keyOf = (name: string) => (name === 'config' ? undefined : flagOf(name))

interface Spelling {
  readonly key: string
  readonly spell: (name: string) => string | undefined
  /** The name of the setting in messages, with its source. */
  readonly what: string
}

function known({ key, spell, what }: Spelling, entries: Known): KnownSetting {
  const entry = entries.find(({ name }) => spell(name) === key)
  if (entry !== undefined) return entry
  throw new UsageError(`${what} is no setting; "tars-admission config print --help" names them`)
}

/** Reads one setting in the form of its source. */
function read(entry: KnownSetting, raw: unknown, from: string): unknown {
  const { name, json, fits } = entry
  const single = (each: unknown) => {
    const value = typed(each, json)
    if (!fits(value))
      throw new UsageError(`${from} takes ${takes(entry)}${SECRET.includes(name) ? '' : `, not ${shown(each)}`}`)
    return value
  }
  return isList(entry) ? severalOf(raw).map(single) : single(raw)
}

/** Splits at commas where the source has no lists. */
function severalOf(raw: unknown): readonly unknown[] {
  const several = typeof raw === 'string' ? raw.split(',').map((each) => each.trim()) : [raw].flat()
  return several.filter((each) => each !== '')
}
function typed(raw: unknown, { type }: JsonSchema): unknown {
  if (type === 'integer' && typeof raw === 'string') return /^-?\d+$/.test(raw) ? Number(raw) : raw
  if (type === 'boolean' && (raw === 'true' || raw === 'false')) return raw === 'true'
  return raw
}

const shown = (raw: unknown) => (typeof raw === 'string' ? `"${raw}"` : JSON.stringify(raw))
