const MOST = 100

/** A key as messages show it: in one line, and not too long. */
export function shown(key: string): string {
  const start = key.slice(0, MOST).replaceAll(/[\p{C}\p{Z}]/gu, ' ')
  return key.length > MOST ? `${start}…` : start
}
