const GROUP = 'networking.cloudflare-operator.io'

export function cloudflareResource<const K extends string, const P extends string>(
  kind: K,
  plural: P,
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
  version = 'v1alpha2',
) {
  return { group: GROUP, version, kind, plural, scope } as const
}

const PREFIX = 'cloudflare-operator.io'
/** A digest of what an object claims: look-ups find the others by it (CF-M-02). */
export const CLAIM_LABEL = `${PREFIX}/claim`

export const ANNOTATIONS = {
  remoteId: `${PREFIX}/remote-id`,
  remoteOrigin: `${PREFIX}/remote-origin`,
  creating: `${PREFIX}/creating`,
  adoptionPolicy: `${PREFIX}/adoption-policy`,
  adoptFrom: `${PREFIX}/adopt-from`,
  handOverTo: `${PREFIX}/hand-over-to`,
  deletionPolicy: `${PREFIX}/deletion-policy`,
  deleteAdopted: `${PREFIX}/delete-adopted`,
  forceDelete: `${PREFIX}/force-delete`,
  drift: `${PREFIX}/drift`,
  foreignRules: `${PREFIX}/foreign-rules`,
} as const
