/** The code of a failed system call, such as ENOENT; of any other error its class. Never its message, which may quote. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** There is nothing at the path. */
export const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
