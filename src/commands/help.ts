import { type Config, DEFAULTS, EVERYWHERE, flagOf, isList, type Name, SETTINGS, SHORT } from '../config.ts'

export interface Help {
  readonly names: readonly Name[]
  readonly usual?: Partial<Config>
  /** Where a setting means something else to this command. */
  readonly says?: Partial<Record<Name, string>>
}

/** A line a flag, for --help. */
export function helpOn({ names, usual = {}, says = {} }: Help): string {
  const each = [...new Set([...names, ...EVERYWHERE])]
  return each.map((name) => helpLine(name, { ...DEFAULTS, ...usual }[name], says[name])).join('\n')
}

function helpLine(name: Name, usual: unknown, says = SETTINGS[name].json.description): string {
  const short = SHORT[name] === undefined ? '    ' : `-${SHORT[name]}, `
  const flag = `  ${short}--${flagOf(name)}${valueIn(name)}`
  const isWorthSaying = usual !== undefined && usual !== false && String(usual) !== ''
  return `${flag.padEnd(50)} ${says}${isWorthSaying ? ` (default: ${usual})` : ''}`
}
function valueIn(name: Name): string {
  const { json, form } = SETTINGS[name]
  if (json.type === 'boolean') return ''
  return ` ${form ?? json.enum?.join('|') ?? 'NUMBER'}${isList(name) ? '…' : ''}`
}
