/** Where `kubectl apply` keeps the file as it was, passwords and all. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

interface Mortal {
  readonly metadata?: { readonly deletionTimestamp?: string | null | undefined } | undefined
}

/** Whoever is being deleted uses nothing, and cannot be referred to any more. */
export function isTerminating({ metadata }: Mortal): boolean {
  return metadata?.deletionTimestamp != null
}
