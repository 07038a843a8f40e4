import type { Found, KubeObject, Words } from '../../../src/cluster/port.ts'
import { resource } from '../../../src/cluster/resource.ts'
import type { Action } from '../../../src/reconcile/action.ts'
import { type ControllerParts, defineController } from '../../../src/reconcile/controller.ts'
import { owned } from '../../../src/reconcile/watches.ts'
import { object } from '../../../src/schema.ts'
import { GADGET, type Gadget } from './gadget.ts'

export const NOTE = resource(
  { group: '', version: 'v1', kind: 'Note', plural: 'notes', scope: 'Namespaced' },
  object({}),
)

export interface Beside {
  readonly gadget: Found<Gadget>
  readonly note: Found<KubeObject> | undefined
}
/** Keeps a note beside each gadget. */
export const noteParts: ControllerParts<Gadget, Beside> = {
  name: 'note',
  of: GADGET,
  watches: [owned(NOTE, GADGET)],
  writes: [
    { resource: NOTE, verbs: ['create', 'remove', 'merge'] },
    { resource: GADGET, subresource: 'status', verbs: ['merge'] },
  ],
  async observe(key, { cached }) {
    const gadget = await cached.get(GADGET, key)
    return gadget && { gadget, note: await cached.get(NOTE, key) }
  },
  plan: ({ gadget, note }) => ({ actions: note === undefined ? [noteOn(gadget)] : [] }),
}
export const noteController = (parts: Partial<ControllerParts<Gadget, Beside>> = {}) =>
  defineController({ ...noteParts, ...parts })

export function noteOn({ metadata: { namespace = '', name, uid = '' } }: KubeObject): Action {
  const owner = { apiVersion: 'test.tars.io/v1', kind: 'Gadget', name, uid, controller: true }
  const metadata = { namespace, name, ownerReferences: [owner] }
  return { do: 'create', of: NOTE, object: { apiVersion: 'v1', kind: 'Note', metadata }, because: 'XX-R1' }
}

export const labelling = ({ metadata }: KubeObject, labels: Words): Action => ({
  do: 'merge',
  of: NOTE,
  ref: { namespace: metadata.namespace ?? '', name: metadata.name },
  expects: { uid: metadata.uid ?? '' },
  patch: { metadata: { labels } },
  because: 'XX-R2',
})
