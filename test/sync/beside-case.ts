import type { Given, Left } from './beside.ts'

export const RESOURCE = '[template]\nsrc = "a"\ndest = "OUT/a.conf"\nkeys = ["/k"]\n'
export const ONE: Given = { conf: { 'a.toml': RESOURCE }, templates: { a: 'v={{getv "/k"}}\n' }, env: { K: '1' } }
export const withLines = (lines: string) => ({ conf: { 'a.toml': RESOURCE + lines } })
export const other = (name: string, lines = '') =>
  `[template]\nsrc = "a"\ndest = "OUT/${name}"\nkeys = ["/k"]\n${lines}`

export interface Alike {
  readonly name: string
  readonly given: Given
  readonly left: Left
}
export interface Differs {
  readonly name: string
  readonly given: Given
  readonly confd: Left
  readonly ours: Left
}

export const WRITTEN = '644 v=1\n'
export const done = (files: Left['files'] = { 'a.conf': WRITTEN }, code: Left['code'] = 0): Left => ({ code, files })
export const failed = (files: Left['files'] = {}): Left => ({ code: 1, files })
