/** cloudflared looks for a path anywhere in a URL, so each one is anchored, and what RE2 reads is escaped (CF-CNV-05). */
export function prefixPattern(path: string): string {
  const prefix = path.replace(/\/+$/, '')
  return prefix === '' ? '' : `^${escaped(prefix)}(/.*)?$`
}
export const exactPattern = (path: string) => (path === '' ? '' : `^${escaped(path)}$`)
export const writtenPattern = (path: string) => (path === '' || path.startsWith('^') ? path : `^${path}`)

const escaped = (path: string) => path.replaceAll(/[.+*?()|[\]{}^$\\]/g, '\\$&')

/** Of a path of an Ingress; empty for every path. */
export function patternOf(pathType: string | undefined, path: string, usesRegex: boolean): string {
  if (pathType === 'Exact') return exactPattern(path)
  if (pathType === 'Prefix') return prefixPattern(path)
  return usesRegex ? writtenPattern(path) : prefixPattern(path.replace(/\/\*$/, ''))
}
