import type { Option } from './option.ts'
import { ALL } from './options.ts'

/** Of `-help`, and after a wrong flag. */
export function usage(): string {
  const lines = ALL.filter(({ flag, not }) => flag !== undefined && not === undefined).map(usageLine)
  return ['usage: tars-admission sync [FLAGS]', ...lines].join('\n')
}

function usageLine({ flag, doc, usual, kind }: Option<unknown>): string {
  const isSaid = kind.word !== '' && String(usual) !== ''
  const unit = kind.word === 'DURATION' ? 'ms' : ''
  return `${`  -${flag} ${kind.word}`.padEnd(30)} ${doc}${isSaid ? ` (default: ${usual}${unit})` : ''}`
}

export const versionLine = (version: string) => `tars-admission sync ${version} (node ${process.versions.node})`
