import type { Means } from '../admission/mutation.ts'
import { Fault } from '../faults.ts'

/** Nothing is hashed yet: the first kind with a password brings the threads along. */
export function meansOf(): Means {
  const none = () => Promise.reject(new Fault('HANDLER_FAILED', 'no kind has passwords'))
  return { passwords: { hash: none, verify: none } }
}
