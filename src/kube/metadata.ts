/** The annotation in which `kubectl apply` stores the whole file, including passwords. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

interface Mortal {
  readonly metadata?: { readonly deletionTimestamp?: string | null | undefined } | undefined
}

/** A terminating object uses nothing, and no object may refer to it. */
export function isTerminating({ metadata }: Mortal): boolean {
  return metadata?.deletionTimestamp != null
}
