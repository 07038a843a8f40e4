/** The code of a failed system call, such as ENOENT; of any other error its class. Never its message, which may quote. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: '; give this user the right to read it, and to enter each folder of its path',
  EISDIR: '; it is a folder: name a file',
  ELOOP: '; a link leads back to itself: remove it',
  ENAMETOOLONG: '; its path is too long: move it up',
}
/** What is wrong with a path, and the remedy. */
export function unreadable(error: unknown): string {
  const code = codeOf(error)
  return `cannot be read (${code})${REMEDIES[code] ?? ''}`
}

/** There is nothing at the path. */
export const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
