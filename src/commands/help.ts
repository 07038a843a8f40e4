import { type Config, EVERYWHERE, flagOf, type Listed, type Name, SHORT } from '../config.ts'
import { isList, type Known, type KnownSetting, knownOf, listed } from './known.ts'

export interface Help {
  readonly names: readonly Listed[]
  readonly usual?: Partial<Config>
  /** Descriptions of settings that differ for this command. */
  readonly says?: Partial<Record<Name, string>>
  readonly known?: Known
}

/** One line per flag, for --help. */
export function helpOn({ names, usual = {}, says = {}, known = knownOf([]) }: Help): string {
  const [defaults, meanings] = [new Map(Object.entries(usual)), new Map(Object.entries(says))]
  return listed([...names, ...EVERYWHERE], known)
    .map((entry) => {
      const { json, name } = entry
      return helpLine(entry, defaults.get(name) ?? json.default, meanings.get(name) ?? json.description)
    })
    .join('\n')
}

function helpLine(entry: KnownSetting, usual: unknown, says = ''): string {
  const { name } = entry
  const short = SHORT[name] === undefined ? '    ' : `-${SHORT[name]}, `
  const flag = `  ${short}--${flagOf(name)}${valueIn(entry)}`
  const isWorthSaying = usual !== undefined && usual !== false && String(usual) !== ''
  return `${flag.padEnd(50)} ${says}${isWorthSaying ? ` (default: ${usual})` : ''}`
}
function valueIn(entry: KnownSetting): string {
  const { enum: words, type } = entry.json.items ?? entry.json
  if (type === 'boolean') return ''
  return ` ${entry.form ?? words?.join('|') ?? (type === 'string' ? 'TEXT' : 'NUMBER')}${isList(entry) ? '…' : ''}`
}
