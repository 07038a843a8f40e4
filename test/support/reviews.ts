import type { Gvr } from '../../src/cluster/port.ts'
import { isTree, type Tree } from '../../src/schema.ts'

export interface Sent {
  readonly user?: string
  readonly dryRun?: boolean
  readonly subResource?: string
}

export const UID = '29d991ef-6da6-472e-9dfb-3d08cf451367'

/**
 * AdmissionReviews as kube-apiserver words them when a collection is deleted, the name left to the object (AP-14).
 * Of anything: bad objects travel like good ones.
 */
export function reviewsOf({ group, version, kind, plural }: Gvr) {
  return {
    creationOf: (object: unknown, sent?: Sent) => reviewOf('CREATE', object, null, sent),
    updateOf: (oldObject: unknown, object: unknown, sent?: Sent) => reviewOf('UPDATE', object, oldObject, sent),
    deletionOf: (oldObject: unknown, sent?: Sent) => reviewOf('DELETE', null, oldObject, sent),
  }

  function reviewOf(operation: string, object: unknown, oldObject: unknown, sent: Sent = {}): Tree {
    const { user = 'ann', dryRun = false, subResource } = sent
    return {
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        uid: UID,
        kind: { group, version, kind },
        resource: { group, version, resource: plural },
        ...(subResource && { subResource }),
        namespace: 'demo',
        operation,
        userInfo: { username: user },
        object: structuredClone(object),
        oldObject: structuredClone(oldObject),
        dryRun,
        options: null,
      },
    }
  }
}

export function withRequest(body: Tree, parts: Tree): Tree {
  return { ...body, request: { ...(isTree(body.request) ? body.request : {}), ...parts } }
}
