export const LABELS = {
  parent: 'tars.io/Parent',
  template: 'tars.io/Template',
} as const

export function tarsResource<const K extends string, const P extends string>(kind: K, plural: P) {
  return {
    group: 'k8s.tars.io',
    version: 'v1beta2',
    kind,
    plural,
    scope: 'Namespaced',
  } as const
}
