import { object, resource } from '../kit/schema.ts'

// Kinds of Kubernetes, of any shape: what is read of them is judged where it is read.

const anything = object({})
export const POD = resource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' }, anything)
export const NODE = resource({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' }, anything)
