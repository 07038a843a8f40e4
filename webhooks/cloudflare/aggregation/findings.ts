import type { PlacedRule } from './order.ts'
import type { TunnelSource } from './sources.ts'

/** What the author of a source has to know of it: an event of his object. */
export interface SourceFinding {
  readonly reason: 'DuplicateRule' | 'RuleShadowed' | 'InvalidRule' | 'DurationRounded'
  readonly source: TunnelSource
  readonly message: string
}

const MOST_CHARACTERS = 200
export const shortly = (text: string) => {
  const characters = [...text.toWellFormed().slice(0, 2 * MOST_CHARACTERS)]
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : characters.join('')
}

/** `app.example.com ^/api$`, for messages. */
export const ruleWords = ({ hostname, path }: Pick<PlacedRule, 'hostname' | 'path'>) =>
  shortly([hostname || 'any host', path].filter(Boolean).join(' '))

export const findingOn = (rule: PlacedRule, reason: SourceFinding['reason'], what: string): SourceFinding => ({
  reason,
  source: rule.source,
  message: `${ruleWords(rule)} ${what}`,
})

/** Rules that go on, and what is said of those that do not. */
export interface Sifted {
  readonly rules: readonly PlacedRule[]
  readonly findings: readonly SourceFinding[]
}
/** Keeps the rules of which nothing is said. */
export function sifted(
  rules: readonly PlacedRule[],
  reason: SourceFinding['reason'],
  flawOf: (rule: PlacedRule) => string | undefined,
): Sifted {
  const kept: PlacedRule[] = []
  const findings: SourceFinding[] = []
  for (const rule of rules) {
    const flaw = flawOf(rule)
    if (flaw === undefined) kept.push(rule)
    else findings.push(findingOn(rule, reason, `is left out: ${flaw}`))
  }
  return { rules: kept, findings }
}
