import type { Completed, CompletedFlag } from '../completed.ts'
import { firstWords, groupsOf, secondWord } from './groups.ts'

export function fish(commands: readonly Completed[]): string {
  const first = [...firstWords(commands)].map(([word, doc]) => line('__fish_use_subcommand', `-f -a ${word}`, doc))
  const second = [...groupsOf(commands)].flatMap(([word, all]) => {
    const is = `${seen(word)}; and not ${seen(all.map(secondWord).join(' '))}`
    return all.map((each) => line(is, `-f -a ${secondWord(each)}`, each.doc))
  })
  const names = [...firstWords(commands).keys()].filter((word) => word !== 'help')
  const help = line(seen('help'), `-f -a '${names.join(' ')}'`, '')
  return `${[HEAD, ...first, ...second, help, ...commands.flatMap(linesOf), WRAPPED].join('\n')}\n`
}

const HEAD = '# fish completion of tars-admission: tars-admission completion fish | source'
const WRAPPED = 'complete -c kubectl-tars -w tars-admission'

function linesOf({ name, flags, words = [] }: Completed): readonly string[] {
  const is = name.split(' ').map(seen).join('; and ')
  const more = words.length === 0 ? [] : [line(is, `-f -a '${words.join(' ')}'`, '')]
  return [...more, ...flags.map((flag) => line(is, optionsOf(flag), flag.doc))]
}

function optionsOf({ names, takes }: CompletedFlag): string {
  return [...names.map(optionFor), ...valueFor(takes)].join(' ')
}
function optionFor(name: string): string {
  if (name.startsWith('--')) return `-l ${name.slice(2)}`
  return name.length === 2 ? `-s ${name.slice(1)}` : `-o ${name.slice(1)}`
}
function valueFor(takes: CompletedFlag['takes']): readonly string[] {
  if (takes === undefined) return []
  if (takes === 'path') return ['-r', '-F']
  return takes === 'text' ? ['-x'] : ['-x', `-a '${takes.join(' ')}'`]
}

const seen = (words: string) => `__fish_seen_subcommand_from ${words}`
const line = (is: string, options: string, doc: string) =>
  `complete -c tars-admission -n '${is}' ${options}${doc === '' ? '' : ` -d ${quoted(doc)}`}`
const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
