/**
 * When a key comes again that waits for an object which somebody else has to remove or create: the longest backoff
 * (WK-3), since a watch of that object wakes the key at once.
 */
export const LONGEST_BACKOFF_MS = 300_000
/** A JSON patch of more than 10,000 operations is refused; what is left over follows with the next turn. */
export const MOST_OPERATIONS = 1_000
/** A timer of Node fires at once when it waits longer than 24 days. */
export const LONGEST_WAIT_MS = 86_400_000
