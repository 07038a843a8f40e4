const NAMED = 5

/** Limits the names, since a hundred users of one template would hide the remedy. */
export function someOf(names: readonly string[]): string {
  const rest = names.length - NAMED
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ')
}
