import { LAST_APPLIED } from '../../../src/kube/metadata.ts'
import { pointerTo, valueAt } from '../../kit/admission.ts'
import { isTree } from '../../kit/schema.ts'
import { PASSWORD_FIELD } from './validate.ts'

/** Where tools keep the object, or the command, as it was written: `kubectl patch --record` by a request of its own. */
export const NOTES = [
  LAST_APPLIED,
  'kubernetes.io/change-cause',
  'kapp.k14s.io/original',
  'objectset.rio.cattle.io/applied',
  'banzaicloud.com/last-applied',
] as const

/** The annotations that must not be stored: those, and whichever holds the clear password of this request. */
export function notesIn(account: unknown): readonly string[] {
  const [annotations, password] = [valueAt(account, 'metadata.annotations'), valueAt(account, PASSWORD_FIELD)]
  if (!isTree(annotations)) return []
  const isHolding = holdingOf(password)
  const holding = Object.keys(annotations).filter((key) => isHolding(annotations[key]))
  return [...NOTES, ...holding].map((key) => pointerTo('metadata', 'annotations', key))
}

/**
 * However often the text around it was quoted: to tell so, both are compared without what quotes. Of a password that is
 * too long its beginning will do: to search for a long text may take quadratic time (SV-17).
 */
function holdingOf(password: unknown): (note: unknown) => boolean {
  const clear = typeof password === 'number' ? String(password) : password
  if (typeof clear !== 'string' || clear === '') return () => false
  const [plain, unquoted] = [clear.slice(0, LONGEST), (bare(clear) || clear).slice(0, LONGEST)]
  return (note) => typeof note === 'string' && (bare(note).includes(unquoted) || note.includes(plain))
}
const LONGEST = 32

/** `\"` and `\u0022` are ways to quote a sign, and YAML doubles `'`. */
function bare(text: string): string {
  return text
    .replaceAll(/u00([2-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/[\\"']/g, '')
}
