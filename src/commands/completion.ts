import { UsageError } from '../config.ts'
import type { OwnWords } from './command.ts'
import type { Completed } from './completed.ts'
import { bash } from './shells/bash.ts'
import { fish } from './shells/fish.ts'
import { zsh } from './shells/zsh.ts'

const SHELLS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = { bash, zsh, fish }
const SHELL_NAMES = Object.keys(SHELLS)

/** A script that the shell reads, since a process for each key that is pressed would be slow. */
export function completion(all: () => Promise<readonly Completed[]>): OwnWords {
  return {
    completes: { flags: [], words: SHELL_NAMES },
    async runWith([shell = '', ...more], { out }) {
      if (shell === '--help' || shell === '-h') {
        out(HELP)
        return 0
      }
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
      if (script === undefined || more.length > 0) throw new UsageError(`completion takes ${SHELL_NAMES.join(', ')}`)
      out(script(await all()))
      return 0
    },
  }
}

const HELP = `usage: tars-admission completion ${SHELL_NAMES.join('|')}
prints what the shell needs to complete commands and flags, of tars-admission and of kubectl-tars

  bash: source <(tars-admission completion bash)
  zsh:  source <(tars-admission completion zsh), behind compinit
  fish: tars-admission completion fish | source
`
