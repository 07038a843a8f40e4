import type { Gvr } from './port.ts'

/** The namespaces that a process works in: all of them if none is named. */
export interface Scope {
  readonly namespaces: readonly string[]
  /** The namespace of the installation: the process that works there also works on what has no namespace (WR-7). */
  readonly home: string
}
export const EVERYWHERE: Scope = { namespaces: [], home: '' }

/** Where to list and watch a resource; the empty name stands for everywhere at once. */
export function placesOf({ scope }: Pick<Gvr, 'scope'>, { namespaces, home }: Scope): readonly string[] {
  if (namespaces.length === 0) return ['']
  if (scope === 'Namespaced') return [...new Set(namespaces)]
  return namespaces.includes(home) ? [''] : []
}
