const NAMED = 5

/** A hundred users of one template would push the remedy out of sight. */
export function someOf(names: readonly string[]): string {
  const rest = names.length - NAMED
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ')
}
