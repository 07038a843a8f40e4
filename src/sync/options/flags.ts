import { isList, type Option } from './option.ts'
import { ALL, nameOf } from './options.ts'

export type Given = ReadonlyMap<Option<unknown>, unknown>
export type ParsedFlags =
  | { readonly is: 'given'; readonly given: Given }
  | { readonly is: 'help' }
  | { readonly is: 'wrong'; readonly why: string }

interface Word {
  readonly name: string
  /** After an equals sign. */
  readonly value: string | undefined
}

/** Flags as Go reads them (SY-CLI-5): it stops at the first word that is no flag, or after `--`. */
export function flagsIn(args: readonly string[]): ParsedFlags {
  const given = new Map<Option<unknown>, unknown>()
  const rest = [...args]
  for (let word = wordIn(rest); word !== undefined; word = wordIn(rest)) {
    if (typeof word === 'string') return { is: 'wrong', why: word }
    const option = ALL.find(({ flag }) => flag !== undefined && flag === word.name)
    if (option === undefined) return unknown(word.name)
    const value = readFor(option, word, rest)
    if (value.is === 'wrong') return value
    given.set(option, addedTo(given.get(option), value.value))
  }
  return { is: 'given', given }
}

/** Takes the next flag, or says that it is none. */
function wordIn(rest: string[]): Word | string | undefined {
  const [arg = ''] = rest
  if (arg.length < 2 || !arg.startsWith('-') || arg === '--') return undefined
  rest.shift()
  const name = arg.startsWith('--') ? arg.slice(2) : arg.slice(1)
  if (name === '' || name.startsWith('-') || name.startsWith('=')) return `bad flag syntax: ${arg}`
  const at = name.indexOf('=')
  return at < 0 ? { name, value: undefined } : { name: name.slice(0, at), value: name.slice(at + 1) }
}

function unknown(name: string): ParsedFlags {
  if (name === 'h' || name === 'help') return { is: 'help' }
  return { is: 'wrong', why: `flag provided but not defined: -${name}` }
}

type ReadValue = { readonly is: 'value'; readonly value: unknown } | { readonly is: 'wrong'; readonly why: string }

function readFor(option: Option<unknown>, { value }: Word, rest: string[]): ReadValue {
  const isSwitch = option.kind.word === ''
  const text = value ?? (isSwitch ? 'true' : rest.shift())
  if (text === undefined) return { is: 'wrong', why: `flag needs an argument: ${nameOf(option)}` }
  const read = option.kind.ofText(text)
  if (read !== undefined) return { is: 'value', value: read }
  return { is: 'wrong', why: `invalid value for flag ${nameOf(option)}: it takes ${option.kind.says}` }
}

/** A list that is given again goes on. */
const addedTo = (before: unknown, more: unknown) => (isList(before) && isList(more) ? [...before, ...more] : more)
