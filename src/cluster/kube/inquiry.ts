import { objectPath, qualified } from '../paths.ts'
import type { Built, Gvr, Ref } from '../port.ts'
import { isNamed } from '../stored.ts'
import type { Connection } from './wire/connection.ts'
import { unableTo, unread } from './wire/failed-call.ts'

/** `barred`: the user has no right to see it. */
export type Inquired = Built | 'absent' | 'barred'

/** Reads for a person with rights of their own: a missing right is an answer too. */
export async function lookAt(connection: Connection, of: Gvr, ref: Ref): Promise<Inquired> {
  const what = `get ${qualified(of)} ${[ref.namespace, ref.name].filter(Boolean).join('/')}`
  const answer = await connection.request('GET', objectPath(of, ref)).catch(unableTo(what))
  if (answer.status === 404) return 'absent'
  if (answer.status === 403) return 'barred'
  if (answer.status === 200 && isNamed(answer.body)) return answer.body
  throw unread(what, answer)
}
