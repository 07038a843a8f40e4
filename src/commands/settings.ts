import { parseArgs } from 'node:util'
import {
  type Config,
  DEFAULTS,
  ENV_PREFIX,
  EVERYWHERE,
  envOf,
  flagOf,
  isList,
  isName,
  NAMES,
  type Name,
  SECRET,
  SETTINGS,
  SHORT,
  takes,
  UsageError,
  WHOLE,
} from '../config.ts'
import { type JsonSchema, validator } from '../schema.ts'

type RawSettings = Readonly<Record<string, unknown>>
export interface Sources {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads the file that `--config` names. */
  readonly readFile: (path: string) => unknown
  /** What the command may be told, and where its own defaults differ. */
  readonly names: readonly Name[]
  readonly usual?: Partial<Config>
}

export function configFrom(sources: Sources): Config {
  return settled(sources).config
}

export interface Settled {
  readonly config: Config
  /** Of those, what somebody said: where a default and its own word are not the same. */
  readonly told: ReadonlySet<Name>
}

/** Flags go before the environment, that before the file, that before the defaults (CV-5). */
export function settled({ args, env, readFile, names, usual = {} }: Sources): Settled {
  const flags = flagsOf(args, [...EVERYWHERE, ...names])
  const variables = variablesOf(env)
  const { config: path } = { ...variables, ...flags }
  const written = typeof path === 'string' ? keysOf(readFile(path), path) : {}
  const said = { ...written, ...variables, ...flags }
  const config = { ...DEFAULTS, ...usual, ...said }
  if (!isConfig(config)) throw new UsageError('the settings do not fit together') // each was checked as it was read
  for (const value of Object.values(config)) Object.freeze(value)
  return { config: Object.freeze(config), told: new Set(Object.keys(said).filter(isName)) }
}

const whole = validator(WHOLE.json)
const isConfig = (value: unknown): value is Config => whole(value)
function flagsOf(args: readonly string[], names: readonly Name[]): RawSettings {
  const told = [...wordsByFlag(args, names)]
  return Object.fromEntries(
    told.map(([name, texts]) => [name, read(name, isList(name) ? texts.join() : texts.at(-1), `--${flagOf(name)}`)]),
  )
}

/** Words after the value of a list belong to it as well: a shell spreads `-f *.yaml`. */
function wordsByFlag(args: readonly string[], names: readonly Name[]): ReadonlyMap<Name, readonly string[]> {
  const options = Object.fromEntries(names.map((name) => [flagOf(name), optionOf(name)]))
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const told = new Map<Name, readonly string[]>()
  let last: Name | undefined
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'option') last = flagged(token, names)
    else if (last === undefined || !isList(last))
      throw new UsageError(`"${token.value}" belongs to no flag; --help names the flags`)
    told.set(last, [...(told.get(last) ?? []), token.kind === 'option' ? wordOf(last, token) : token.value])
  }
  return told
}

function optionOf(name: Name) {
  const short = SHORT[name]
  const type = SETTINGS[name].json.type === 'boolean' ? ('boolean' as const) : ('string' as const)
  return { type, ...(short !== undefined && { short }) }
}

interface Token {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function flagged({ name: flag, rawName }: Token, names: readonly Name[]): Name {
  const name = names.find((each) => flagOf(each) === flag)
  if (name === undefined) throw new UsageError(`${rawName} is no flag of this command; --help names its flags`)
  return name
}

function wordOf(name: Name, { rawName, value, inlineValue = false }: Token): string {
  if (SETTINGS[name].json.type === 'boolean') return value ?? 'true'
  const isNextFlag = !inlineValue && value !== '-' && value?.startsWith('-') === true
  if (value === undefined || isNextFlag) throw new UsageError(`${rawName} takes ${takes(name)}, and nothing follows it`)
  return rawName.startsWith('--') ? value : value.replace(/^=/, '') // -o=json, as kubectl takes it
}

/** An empty variable is one that is not set. */
function variablesOf(env: Sources['env']): RawSettings {
  const ours = Object.entries(env).filter(([key, raw]) => key.startsWith(ENV_PREFIX) && raw)
  return Object.fromEntries(
    ours.map(([key, raw]) => {
      const name = known(key, envOf, key)
      return [name, read(name, raw, key)]
    }),
  )
}

function keysOf(content: unknown, path: string): RawSettings {
  if (content === null || content === undefined) return {}
  if (typeof content !== 'object' || Array.isArray(content))
    throw new UsageError(`${path} must hold settings by name, like "port: 9443"`)
  return Object.fromEntries(
    Object.entries(content).map(([key, raw]) => {
      const name = known(key, keyOf, `${key} in ${path}`)
      return [name, read(name, raw, `${key} in ${path}`)]
    }),
  )
}
/** A file does not name another one. */
const keyOf = (name: Name) => (name === 'config' ? undefined : flagOf(name))

function known(key: string, spell: (name: Name) => string | undefined, what: string): Name {
  const name = NAMES.find((each) => spell(each) === key)
  if (name === undefined) throw new UsageError(`${what} is no setting; "tars-admission config print --help" names them`)
  return name
}

/** One setting, from whatever form its source has. */
function read(name: Name, raw: unknown, from: string): unknown {
  const { json } = SETTINGS[name]
  const single = (each: unknown) => {
    const value = typed(each, json)
    if (!fits(name, value))
      throw new UsageError(`${from} takes ${takes(name)}${SECRET.includes(name) ? '' : `, not ${shown(each)}`}`)
    return value
  }
  return isList(name) ? severalOf(raw).map(single) : single(raw)
}

/** By the schema of the whole, which is compiled once; and what no pattern says: a port of six digits makes no URL. */
function fits(name: Name, value: unknown): boolean {
  const isUrl = SETTINGS[name].form === 'URL'
  return isConfig({ ...DEFAULTS, [name]: isList(name) ? [value] : value }) && (!isUrl || URL.canParse(String(value)))
}

/** Separated by commas where the source has no lists. */
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
