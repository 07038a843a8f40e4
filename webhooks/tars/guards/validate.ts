import type { Rule } from '../../kit/admission.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { LABELS } from '../names.ts'

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
]

/** Repeats the door's objectSelector, for reviews that come through no door. */
function isOfServer({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[LABELS.app] !== undefined && labels[LABELS.server] !== undefined
}
