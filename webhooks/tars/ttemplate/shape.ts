interface Hung {
  readonly metadata?: { readonly name?: string | undefined } | undefined
  readonly spec?: { readonly parent?: string | undefined } | undefined
}

/** A root template names itself. */
export function isRoot({ metadata, spec }: Hung): boolean {
  return spec?.parent === metadata?.name
}
