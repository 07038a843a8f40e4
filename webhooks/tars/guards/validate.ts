import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Rule } from '../../kit/admission.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { LABELS } from '../names.ts'
import { changesAnything, concernsManaged, driftingFields, isControlled, missingServer } from './managed.ts'

export const rules: readonly Rule<KubeObject>[] = [
  {
    id: 'GW-1',
    field: 'metadata.labels[tars.io/ServerApp]',
    on: 'write',
    reason: 'Forbidden',
    exempt: ['CTRL'],
    when: (given) => isOfServer(given.next) && !(given.operation === 'UPDATE' && isOfServer(given.prev)),
    check: () => [{ path: `metadata.labels[${LABELS.app}]` }],
    message: () => `objects labelled ${LABELS.app} are created from a TServer`,
    remedy: `create a TServer, or leave ${LABELS.app} or ${LABELS.server} out`,
  },
  {
    id: 'GW-2',
    field: 'spec, metadata.labels, metadata.ownerReferences',
    on: 'update',
    reason: 'Forbidden',
    exempt: ['CTRL', 'KUBE'],
    live: true,
    when: (given) => isOfServer(given.prev) && concernsManaged(given),
    check: driftingFields,
    message: ({ value = '`<namespace>/<name>`' }) => `is managed by TServer ${value}`,
    remedy: 'change it there',
  },
  {
    id: 'GW-3',
    field: 'metadata.ownerReferences',
    on: 'update',
    reason: 'Forbidden',
    exempt: ['CTRL', 'KUBE'],
    live: true,
    when: (given) =>
      isOfServer(given.prev) && isControlled(given.next) && !isTerminating(given.prev) && changesAnything(given),
    check: missingServer,
    message: ({ value = '`<namespace>/<name>`' }) => `its controller, TServer ${value}, does not exist`,
    remedy: 'take the reference away first, or leave the object to the garbage collector',
  },
]

/** Repeats the door's objectSelector, for reviews that come through no door. */
function isOfServer({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[LABELS.app] !== undefined && labels[LABELS.server] !== undefined
}
