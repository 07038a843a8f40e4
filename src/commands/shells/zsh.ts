import type { Completed, CompletedFlag } from '../completed.ts'
import { firstWords, groupsOf, secondWord } from './groups.ts'

export function zsh(commands: readonly Completed[]): string {
  const groups = [...groupsOf(commands)].map(
    ([word, all]) => `  ${word})
    if ((CURRENT == 3)); then
      choices=(${choices(all.map((each) => [secondWord(each), each.doc]))})
      _describe command choices
      return
    fi
    command+=" $words[3]"
    ;;`,
  )
  return `#compdef tars-admission kubectl-tars
# zsh completion of tars-admission: source <(tars-admission completion zsh), behind compinit
_tars_admission() {
  local -a choices
  local command=$words[2]
  if ((CURRENT == 2)) || [[ $command == help ]]; then
    choices=(${choices([...firstWords(commands)])})
    _describe command choices
    return
  fi
  case $command in
${groups.join('\n')}
  esac
  case $command in
${commands.map(argumentsOf).join('\n')}
  esac
}
if [[ $funcstack[1] == _tars_admission ]]; then _tars_admission "$@"; else compdef _tars_admission tars-admission kubectl-tars; fi
`
}

const choices = (all: readonly (readonly [string, string])[]) =>
  all.map(([word, doc]) => quoted(`${word}:${doc}`)).join(' ')

function argumentsOf({ name, flags, words }: Completed): string {
  const rest = words === undefined ? '*:path:_files' : `*:word:(${words.join(' ')})`
  return `  ${quoted(name)}) _arguments ${[...flags.flatMap(specsOf), quoted(rest)].join(' ')} ;;`
}

/** One for each of its names. */
function specsOf({ names, doc, takes, isList }: CompletedFlag): readonly string[] {
  return names.map((name) =>
    quoted(`${isList ? '*' : ''}${name}[${doc.replaceAll(/[[\]:\\]/g, '\\$&')}]${valueFor(takes)}`),
  )
}
function valueFor(takes: CompletedFlag['takes']): string {
  if (takes === undefined) return ''
  if (takes === 'path') return ':path:_files'
  return takes === 'text' ? ':text: ' : `:word:(${takes.join(' ')})`
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
