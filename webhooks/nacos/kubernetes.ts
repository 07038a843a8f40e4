import { flag, type KubeObject, map, object, resource, type Shape, text } from '../kit/schema.ts'

/** Kinds of Kubernetes. Where the schema is empty, the shape of what is read stands beside the code that reads it. */
const anObject = object({})

const configMap = object(
  {},
  {
    data: map(text({ doc: 'A text.' }), { doc: 'Texts by key.' }),
    binaryData: map(text({ doc: 'Bytes in base64.' }), { doc: 'What is no UTF-8, by key.' }),
    immutable: flag({ doc: 'Whether the data can never change.' }),
  },
)
export type ConfigMap = KubeObject & Shape<typeof configMap>
export const CONFIG_MAP = resource(
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' },
  configMap,
)
export const NACOS_SERVICE = resource(
  { group: '', version: 'v1', kind: 'Service', plural: 'services', scope: 'Namespaced' },
  anObject,
)
export const NACOS_STATEFULSET = resource(
  { group: 'apps', version: 'v1', kind: 'StatefulSet', plural: 'statefulsets', scope: 'Namespaced' },
  anObject,
)
export const NACOS_POD = resource(
  { group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' },
  anObject,
)
