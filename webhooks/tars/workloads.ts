import { object, resource } from '../kit/schema.ts'

/** The controller creates these for a TServer. The schema is empty, since they are kinds of Kubernetes. */
const anObject = object({})
export const SERVICE = resource(
  { group: '', version: 'v1', kind: 'Service', plural: 'services', scope: 'Namespaced' },
  anObject,
)
export const STATEFULSET = resource(
  { group: 'apps', version: 'v1', kind: 'StatefulSet', plural: 'statefulsets', scope: 'Namespaced' },
  anObject,
)
export const DAEMONSET = resource(
  { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', scope: 'Namespaced' },
  anObject,
)
