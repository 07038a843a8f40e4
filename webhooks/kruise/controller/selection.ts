/** How a node stands in an update. */
export interface NodeProgress {
  readonly node: string
  readonly progress: 'updated' | 'updating' | 'old'
  /** Whether `rollingUpdate.selector` selects it; undefined where there is none. */
  readonly isSelected: boolean | undefined
}

/**
 * The nodes whose pods may become new. Those that have begun come first, and the rest by name, the last one first; as
 * many as the partition says keep their pods.
 */
export function eligibleNodes(standings: readonly NodeProgress[], partition: number): ReadonlySet<string> {
  const byName = (one: NodeProgress, other: NodeProgress) => (one.node < other.node ? 1 : -1)
  const among = (progress: NodeProgress['progress']) =>
    standings.filter((each) => each.progress === progress).sort(byName)
  const old = among('old').filter(({ isSelected }) => isSelected !== false)
  const ordered = [...among('updated'), ...among('updating'), ...old]
  const most = Math.max(0, standings.length - partition)
  return new Set(ordered.slice(0, most).map(({ node }) => node))
}
