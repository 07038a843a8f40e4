import { flag, integer, list, map, nullable, object, text } from '../schema.ts'

const ownerReference = object(
  {
    apiVersion: text({ doc: 'Group and version of the owner.' }),
    kind: text({ doc: 'Kind of the owner.' }),
    name: text({ doc: 'Name of the owner.' }),
    uid: text({ doc: 'Identity of the owner.' }),
  },
  { controller: nullable(flag({ doc: 'Whether the owner is its controller.' })) },
)

/** The fields of ObjectMeta that this code reads. `labels: null` counts as no labels (W-4). */
export const metadata = object(
  { name: text({ doc: 'Name.', minLength: 1 }) },
  {
    generation: integer({ doc: 'Number of the specification.' }),
    finalizers: nullable(list(text({ doc: 'Finalizer.' }), { doc: 'What has to happen before it is removed.' })),
    ownerReferences: nullable(list(ownerReference, { doc: 'Objects that it is removed with.' })),
    namespace: text({ doc: 'Namespace.' }),
    generateName: text({ doc: 'What the API server completes to a name.' }),
    uid: text({
      doc: 'Identity: another object of the same name has another one.',
    }),
    resourceVersion: text({ doc: 'Version as stored.' }),
    creationTimestamp: nullable(text({ doc: 'When it was stored first.' })),
    deletionTimestamp: nullable(text({ doc: 'Set while the object waits for its finalizers.' })),
    labels: nullable(map(text({ doc: 'Value.' }), { doc: 'Labels.' })),
    annotations: nullable(map(text({ doc: 'Value.' }), { doc: 'Annotations.' })),
  },
)
