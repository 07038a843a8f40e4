import type { Completed, CompletedFlag } from '../completed.ts'
import { firstWords, groupsOf, secondWord } from './groups.ts'

/** Bash takes `--flag=value` for three words. Where no word fits it completes paths. */
export function bash(commands: readonly Completed[]): string {
  const groups = groupsOf(commands)
  const second = [...groups].map(([word, all]) => offer(quoted(word), all.map(secondWord)))
  return `# bash completion of tars-admission: source <(tars-admission completion bash)
_tars_admission() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command= words=
  if [ "$current" = = ]; then current=; fi
  if [ "$before" = = ]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  if ((COMP_CWORD > 1)); then command=\${COMP_WORDS[1]}; fi
  case $command in
  ${[...groups.keys()].join(' | ')}) if ((COMP_CWORD > 2)); then command+=" \${COMP_WORDS[2]}"; fi ;;
  esac
  case "$command $before" in
${commands.flatMap(valuesOf).join('\n')}
  *)
    case $command in
${[offer("'' | help", [...firstWords(commands).keys()]), ...second, ...commands.map(namesOf)].join('\n')}
    esac
    ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tars_admission tars-admission kubectl-tars
`
}

const quoted = (word: string) => `'${word}'`
const offer = (pattern: string, words: readonly string[]) => `    ${pattern}) words='${words.join(' ')}' ;;`
const namesOf = ({ name, flags, words = [] }: Completed) =>
  offer(quoted(name), [...words, ...flags.flatMap(({ names }) => names), '--help'])

function valuesOf({ name, flags }: Completed): readonly string[] {
  return flags.flatMap(({ names, takes }: CompletedFlag) => {
    if (takes === undefined) return []
    const pattern = names.map((flag) => quoted(`${name} ${flag}`)).join(' | ')
    return [`  ${pattern}) words='${typeof takes === 'string' ? '' : takes.join(' ')}' ;;`]
  })
}
