import {
  ALL,
  type Config,
  type ConfigEntry,
  flagOf,
  type Listed,
  NAMES,
  type Name,
  OF_FAMILIES,
  type OwnConfig,
  SECRET,
  SETTINGS,
  takes,
  UsageError,
  WHOLE,
} from '../config.ts'
import type { Family } from '../family.ts'
import { choice, list } from '../schema.ts'
import { fits, type Setting } from '../setting.ts'

/** One setting, of the machine itself or of a family. */
export interface KnownSetting extends ConfigEntry {
  readonly name: string
  /** A list is checked item by item. */
  readonly fits: (value: unknown) => boolean
  readonly of?: Setting<unknown>
}

/**
 * All that may be set, in the order of `config print`. The settings of a family that does not run are known too, so
 * that one file serves all processes.
 */
export type Known = readonly KnownSetting[]

export function knownOf(families: readonly FamilySettings[]): Known {
  const chosen = familiesEntry(families)
  const ofFamilies = families.flatMap(({ settings }) => settings.map(familyEntry))
  return ALL.flatMap((name) => {
    if (name === OF_FAMILIES) return ofFamilies
    return [name === 'families' ? chosen : ownEntry(name)]
  })
}
type FamilySettings = Pick<Family, 'name' | 'off' | 'settings'>

/** Its words are the families that there are; its default is all of them that are not off. */
function familiesEntry(families: readonly FamilySettings[]): KnownSetting {
  const { description: doc = '' } = SETTINGS.families.json
  const words = [...families.map(({ name }) => name), EVERY_FAMILY]
  const usual = families.filter(({ off }) => off !== true).map(({ name }) => name)
  const isWord = (value: unknown) => words.some((word) => word === value)
  return { name: 'families', json: list(choice(words, { doc }), { doc, default: usual }).json, fits: isWord }
}
const EVERY_FAMILY = 'all'

/** Those that --families names, in the order of the list; its default is filled in already. */
export function chosenFrom<F extends FamilySettings>(
  families: readonly F[],
  { families: named }: Config,
): readonly F[] {
  const chosen = families.filter(({ name }) => named.includes(name) || named.includes(EVERY_FAMILY))
  if (chosen.length > 0 || families.length === 0) return chosen
  throw new UsageError(`no family runs: --families takes ${takes(familiesEntry(families))}`)
}

/** The defaults, which the command and the operator may override. */
export function defaultsOf(known: Known): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    known.flatMap(({ name, json, of }) => (of || json.default === undefined ? [] : [[name, json.default]])),
  )
}

export function isOwn(values: Readonly<Record<string, unknown>>): values is OwnConfig {
  const { required = [] } = WHOLE.json
  return NAMES.every((name) =>
    values[name] === undefined ? !required.includes(name) : fits(values[name], SETTINGS[name].json),
  )
}

/** Checks what no pattern covers as well: a URL with a port of six digits is invalid. */
function ownEntry(name: Name): KnownSetting {
  const entry = SETTINGS[name]
  const held = (value: unknown) => (isList(entry) ? [value] : value)
  const isUrl = entry.form === 'URL'
  const isRight = (value: unknown) => fits(held(value), entry.json) && (!isUrl || URL.canParse(String(value)))
  return { name, ...entry, fits: isRight }
}

/** A setting of a family, or a flag of one of its commands. */
export function familyEntry(of: Setting<unknown>): KnownSetting {
  const { json } = of.field
  return { name: of.name, json, of, fits: (value) => of.is(isList({ json }) ? [value] : value) }
}

export const isList = ({ json }: Pick<KnownSetting, 'json'>) => json.type === 'array'

/** The settings that a command takes. */
export function listed(names: readonly Listed[], known: Known): Known {
  const each = names.flatMap((name) => known.filter((entry) => (entry.of ? OF_FAMILIES : entry.name) === name))
  return [...new Set(each)]
}

/** The effective configuration, by the names of the flags, for a file to be read again: so not which file it was. */
export function spelled(config: Config, known = knownOf([])): Readonly<Record<string, unknown>> {
  const own = new Map<string, unknown>(Object.entries(config))
  const pairs = known.flatMap(({ name, of }) => {
    const value = of === undefined ? own.get(name) : config.settings.get(of)
    return name === 'config' || value === undefined ? [] : [[flagOf(name), SECRET.includes(name) ? HIDDEN : value]]
  })
  return Object.fromEntries(pairs)
}
const HIDDEN = '(not shown)'
