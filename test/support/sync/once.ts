import { FakeStore } from '../fakes/store.ts'
import { aSync, type Laid } from './running.ts'

/** One resource of one key. */
export const ONE = { 'a.toml': 'src = "a"\ndest = "OUT/a.conf"\nkeys = ["/k"]\n' }
export const TEMPLATES = { a: 'v={{getv "/k"}}\n' }

export const aStore = (values: Readonly<Record<string, string>> = { '/k': '1' }) => new FakeStore(values)

/** A sync of one pass, with that resource unless another is given. */
export const once = (laid: Laid = {}) =>
  aSync({ conf: ONE, templates: TEMPLATES, store: aStore(), ...laid, args: ['-onetime', ...(laid.args ?? [])] })

/** That resource with more lines. */
export const withLines = (lines: string) => ({ 'a.toml': ONE['a.toml'] + lines })

export const reasonsIn = (lines: readonly Readonly<Record<string, unknown>>[], msg: string) =>
  lines.filter((line) => line.msg === msg).map(({ reason }) => reason)
