import { canonical } from '../../../src/kube/canonical-json.ts'
import { sha256Of } from '../../../src/kube/digests.ts'
import type { Tree } from '../../kit/schema.ts'
import { patchedTemplate } from './patched.ts'
import type { Merging } from './touched.ts'

/** 16 hex digits of the canonical value. */
const shortHash = (value: unknown) => sha256Of(canonical(value)).slice(0, 16)

/** PATCH-HASH-2: of the patch alone, since its selector and priority decide only where and when it applies. */
export const entryHash = (patch: Tree) => shortHash(patch)

/** PATCH-HASH-3: of applicable entries in application order; empty for none. */
export function componentOf(entries: readonly { readonly hash: string }[]): string {
  return entries.map(({ hash }) => hash).join('')
}

/** PATCH-HASH-4 */
export const combinedHash = (base: string, component: string) => `${base}-${component}`

/** PATCH-HASH-5: the part of a stamp that decides whether a pod is stale. A pod without stamp has none. */
export function componentIn(stamp: string | undefined): string {
  return stamp === undefined ? '' : stamp.slice(stamp.lastIndexOf('-') + 1)
}

/** PATCH-HASH-7: equal for lists of entries that make the same of a template. */
export function templateHash(template: Tree, entries: readonly Merging[]): string {
  return shortHash(patchedTemplate(template, entries))
}
