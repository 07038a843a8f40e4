/** What is wrong with a patch, whatever the template. */
export interface DocumentFinding {
  readonly id: 'PATCH-V-10' | 'PATCH-V-12' | 'PATCH-V-13' | 'PATCH-V-14' | 'PATCH-V-15' | 'PATCH-V-16'
  /** Within the patch: `.spec.containers[0].image`; empty for the patch itself. */
  readonly path: string
  readonly text: string
}
export type DocumentFindings = readonly DocumentFinding[]

const LONGEST_KEY = 63

export function clipped(key: string): string {
  return key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key
}

/** A key that is no plain word stands in brackets, as that of a label does. */
export function pathTo(path: string, key: string): string {
  return /^[\w$]+$/.test(key) ? `${path}.${clipped(key)}` : `${path}[${clipped(key)}]`
}
