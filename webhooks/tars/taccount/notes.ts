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
  const holding = Object.keys(annotations).filter((key) => holds(annotations[key], password))
  return [...NOTES, ...holding].map((key) => pointerTo('metadata', 'annotations', key))
}

/** However often the text around it was quoted: to tell so, both are compared without what quotes. */
function holds(note: unknown, password: unknown): boolean {
  const clear = typeof password === 'number' ? String(password) : password
  if (typeof note !== 'string' || typeof clear !== 'string' || clear === '') return false
  return bare(note).includes(bare(clear) || clear) || note.includes(clear)
}

/** `\"` and `\u0022` are ways to quote a sign. */
function bare(text: string): string {
  return text
    .replaceAll(/u00([2-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\', '')
}
