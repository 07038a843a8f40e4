import { carries } from '../../../../src/kube/labels.ts'
import type { Action, Built } from '../../../kit/controller.ts'
import { type Found, isTree, type KubeObject } from '../../../kit/schema.ts'
import { TEXITEDRECORD } from '../../texitedrecord/schema.ts'

/** TX-R1: an apply would empty the record, so only what differs of its metadata is merged. */
export function recordRepair({ metadata: wanted }: Built, { metadata }: Found<KubeObject>): readonly Action[] {
  const { namespace = '', name, uid = '', resourceVersion, ownerReferences } = metadata
  const { labels = {} } = wanted
  const owners = (ownerReferences ?? []).map((owner) =>
    owner.controller ? { ...owner, blockOwnerDeletion: true } : owner,
  )
  const patch = {
    ...(!carries(metadata.labels, labels ?? {}) && { labels }),
    ...(!isBlocking(ownerReferences) && { ownerReferences: owners }),
  }
  if (Object.keys(patch).length === 0) return []
  return [
    {
      do: 'merge',
      of: TEXITEDRECORD,
      ref: { namespace, name },
      expects: { uid, ...(resourceVersion && { resourceVersion }) },
      patch: { metadata: patch },
      because: 'TX-R1',
    },
  ]
}

/** The list is replaced as a whole, hence the expected resourceVersion. */
function isBlocking(owners: readonly unknown[] | null = []): boolean {
  return (
    owners?.some((owner) => isTree(owner) && owner.controller === true && owner.blockOwnerDeletion === true) === true
  )
}
