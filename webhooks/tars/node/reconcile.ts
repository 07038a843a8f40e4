import { defineController, type Plan } from '../../kit/controller.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { NODE } from '../pods.ts'

const SERVES_ANY = 'tars.io/node'
const SERVES = `${SERVES_ANY}.`

/** Of a Node the worker reads the metadata, and writes one label. */
export const nodeController = defineController<KubeObject, KubeObject>({
  name: 'node',
  of: NODE,
  keeps: { fields: ['metadata.labels'] },
  watches: [],
  writes: [{ resource: NODE, verbs: ['merge'] }],
  observe: (key, { cached }) => cached.get(NODE, key),
  plan,
})

/** The label is there where the Node serves any namespace (ND-1). Administrators set all others of ours (ND-2). */
export function plan({ metadata: { name, uid = '', resourceVersion = '', labels } }: KubeObject): Plan {
  const wanted = Object.keys(labels ?? {}).some((label) => label.startsWith(SERVES)) ? '' : undefined
  if (labels?.[SERVES_ANY] === wanted) return { actions: [] }
  const patch = { metadata: { labels: { [SERVES_ANY]: wanted ?? null } } }
  const ref = { namespace: '', name }
  return { actions: [{ do: 'merge', of: NODE, ref, expects: { uid, resourceVersion }, patch, because: 'ND-1' }] }
}
