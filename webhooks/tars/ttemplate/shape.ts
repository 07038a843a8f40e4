import type { KubeObject } from '../../kit.ts'

interface Hung {
  readonly metadata?: { readonly name?: string | undefined } | undefined
  readonly spec?: { readonly parent?: string | undefined } | undefined
}

/** A root template names itself. */
export function isRoot({ metadata, spec }: Hung): boolean {
  return spec?.parent === metadata?.name
}

/** Whoever is being deleted uses nothing, and cannot be referred to any more. */
export function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp != null
}
