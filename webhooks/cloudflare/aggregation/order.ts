import type { TunnelRule, TunnelSource } from './sources.ts'

/** A rule with all that its place in the configuration depends on. */
export interface PlacedRule extends TunnelRule {
  readonly source: TunnelSource
  readonly index: number
}

type Compare<T> = (one: T, other: T) => number
const by =
  <T>(of: (each: T) => number): Compare<T> =>
  (one, other) =>
    of(one) - of(other)
/** By the bytes of UTF-8. */
const byText =
  <T>(of: (each: T) => string): Compare<T> =>
  (one, other) => {
    const [a, b] = [of(one), of(other)]
    return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
const inTurn =
  <T>(...comparisons: readonly Compare<T>[]): Compare<T> =>
  (one, other) => {
    for (const compare of comparisons) {
      const order = compare(one, other)
      if (order !== 0) return order
    }
    return 0
  }

const isWildcard = ({ hostname }: TunnelRule) => hostname.startsWith('*.')
const hostClass = (rule: TunnelRule) => (rule.hostname === '' ? 2 : isWildcard(rule) ? 1 : 0)
const labels = (rule: TunnelRule) => (isWildcard(rule) ? -rule.hostname.split('.').length : 0)

const PREFIX_TAIL = '(/.*)?$'
function pathClass({ path }: TunnelRule): number {
  if (path === '') return 2
  return path.startsWith('^') && path.endsWith('$') && !path.endsWith(PREFIX_TAIL) ? 0 : 1
}

/**
 * A total order (CF-AGG-09). cloudflared takes the first rule that matches, a wildcard matches by its suffix at any
 * depth, and a path matches anywhere: what is more special goes first, and priorities decide among hosts of one class.
 */
export const byMatching: Compare<PlacedRule> = inTurn<PlacedRule>(
  by(hostClass),
  by(labels),
  by(({ priority }) => priority),
  byText(({ hostname }) => hostname),
  by(pathClass),
  by(({ path }) => -Buffer.byteLength(path)),
  byText(({ path }) => path),
  byText(({ source }) => source.createdAt),
  byText(({ source }) => source.key),
  by(({ index }) => index),
)

/** The order in which settings count (CF-AGG-08). */
export const byPriority: Compare<TunnelSource> = inTurn<TunnelSource>(
  by(({ priority }) => priority),
  byText(({ createdAt }) => createdAt),
  byText(({ key }) => key),
)

/** Of those that use a hostname the first one holds it (CF-ONE-05). */
export const byAge: Compare<PlacedRule> = inTurn<PlacedRule>(
  byText(({ source }) => source.createdAt),
  byText(({ source }) => source.key),
)
