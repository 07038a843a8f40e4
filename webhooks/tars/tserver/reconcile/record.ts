import { carries } from '../../../../src/kube/labels.ts'
import { valueAt } from '../../../kit/admission.ts'
import type { Action, Built } from '../../../kit/controller.ts'
import { type Found, isTree, type KubeObject } from '../../../kit/schema.ts'
import { TEXITEDRECORD } from '../../texitedrecord/schema.ts'

/** TX-R1: an apply would empty the record, so only what differs is merged, and never its pods. */
export function recordRepair(wanted: Built, live: Found<KubeObject>): readonly Action[] {
  const { namespace = '', name, uid = '', resourceVersion } = live.metadata
  const metadata = metadataRepair(wanted, live)
  const fields = FIELDS.filter((field) => valueAt(live, field) !== wanted[field])
  const patch = {
    ...Object.fromEntries(fields.map((field) => [field, wanted[field]])),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  if (Object.keys(patch).length === 0) return []
  return [
    {
      do: 'merge',
      of: TEXITEDRECORD,
      ref: { namespace, name },
      expects: { uid, ...(resourceVersion && { resourceVersion }) },
      patch,
      because: 'TX-R1',
    },
  ]
}
const FIELDS = ['app', 'server'] as const

function metadataRepair({ metadata: { labels } }: Built, { metadata }: Found<KubeObject>) {
  const { ownerReferences } = metadata
  const owners = (ownerReferences ?? []).map((owner) =>
    owner.controller ? { ...owner, blockOwnerDeletion: true } : owner,
  )
  return {
    ...(!carries(metadata.labels, labels ?? {}) && { labels: labels ?? {} }),
    ...(!isBlocking(ownerReferences) && { ownerReferences: owners }),
  }
}

/** The list is replaced as a whole, hence the expected resourceVersion. */
function isBlocking(owners: readonly unknown[] | null = []): boolean {
  return (
    owners?.some((owner) => isTree(owner) && owner.controller === true && owner.blockOwnerDeletion === true) === true
  )
}
