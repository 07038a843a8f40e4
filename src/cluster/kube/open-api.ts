import type { Connection } from './wire/connection.ts'
import { unableTo, unread } from './wire/failed-call.ts'

/** Megabytes, for which no review waits. */
const ANSWER_MS = 10_000

/** Every user may read it (ClusterRole system:discovery). */
export async function openApi(connection: Connection, of: string): Promise<unknown> {
  const what = `get the OpenAPI document of ${of}`
  const answer = await connection.request('GET', `/openapi/v3/${of}`, { timeoutMs: ANSWER_MS }).catch(unableTo(what))
  if (answer.status === 404) return undefined
  if (answer.status === 200) return answer.body
  throw unread(what, answer)
}
