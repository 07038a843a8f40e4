import { collectionPath, objectPath } from '../../src/cluster/paths.ts'
import { isStored, refOf } from '../../src/cluster/stored.ts'
import type { ActionWriter } from '../../src/reconcile/apply.ts'
import type { Send } from './keep-alive-client.ts'

/** Sends what the worker sends, and nothing else: no budget, no fence, no look at an answer but that it is an object. */
export function bareWriter(send: Send): ActionWriter {
  async function written(...call: Parameters<Send>) {
    const answer = await send(...call)
    if (!isStored(answer)) throw new Error(`${call[0]} ${call[1]}: no object`)
    return answer
  }
  return {
    create: (of, object) => written('POST', collectionPath(of, refOf(object).namespace), object),
    apply(of, object, { manager }) {
      const path = `${objectPath(of, refOf(object))}?fieldManager=${manager}&force=true`
      return written('PATCH', path, object, 'application/apply-patch+yaml')
    },
    merge(of, ref, patch, { subresource } = {}) {
      const path = [objectPath(of, ref), ...(subresource ? [subresource] : [])].join('/')
      return written('PATCH', path, { ...patch }, 'application/merge-patch+json')
    },
    patch: (of, ref, operations) => written('PATCH', objectPath(of, ref), operations, 'application/json-patch+json'),
    async remove(of, ref) {
      await send('DELETE', objectPath(of, ref))
    },
  }
}
