import type { Answerer } from '../../admission/answer.ts'
import { deadlineOf } from '../../admission/deadline.ts'
import { addressOf, type Door } from '../../admission/door.ts'
import { CONTROLLER } from '../../admission/identities.ts'
import type { Response } from '../../admission/response.ts'
import { reviewOf } from '../../admission/review.ts'
import type { Kind } from '../../kind.ts'
import { accountName } from '../../kube/names.ts'
import type { Clock } from '../../timing/clock.ts'
import type { Admit, SentReview } from './admission.ts'
import { metaOf } from './object-meta.ts'

export type WebhookCall = (door: Door, review: SentReview) => Promise<Response>

/**
 * Finds the webhook of a request as an API server does by the configurations that are printed from the doors.
 * `ourselves` is whom the webhook writes as.
 */
export function registeredWebhooks(kinds: readonly Kind[], call: WebhookCall, ourselves: string): Admit {
  const doors = new Map(kinds.flatMap(placesOf))
  return async (phase, review) => {
    const door = doors.get(placeOf(phase, review))
    if (door === undefined || !isMet(door, review, ourselves)) return undefined
    return { webhook: door.name, response: await call(door, review) }
  }
}

/** As the selectors say that are printed from it: of an object or of what it was, one has to fit. */
function isMet(door: Door, { request }: SentReview, ourselves: string) {
  const { exceptOurselves, exceptController, exceptSystem, objectSelector } = door
  const [, , home] = ourselves.split(':')
  const { username } = request.userInfo
  if (exceptOurselves && username === ourselves) return false
  if (exceptController && username === accountName(home ?? '', CONTROLLER)) return false
  if (exceptSystem && ['kube-system', home].includes(request.namespace)) return false
  const keys = objectSelector?.matchExpressions.map(({ key }) => key) ?? []
  const fitting = [request.object, request.oldObject].filter((object) => {
    const { labels = {} } = metaOf(object?.metadata)
    return keys.every((key) => Object.hasOwn(labels, key))
  })
  return fitting.length > 0
}

/** Our own code, in this process. */
export function inProcess(answer: Answerer, clock: Pick<Clock, 'now' | 'tick'>): WebhookCall {
  return async ({ path, timeoutSeconds }, review) => {
    const deadline = deadlineOf(timeoutSeconds * 1000, () => clock.tick())
    const { response } = await answer(reviewOf(review), { path, at: clock.now(), deadline })
    return response
  }
}

function placesOf({ resource, doors }: Kind): readonly (readonly [string, Door])[] {
  return doors.flatMap((door) =>
    door.operations.map((operation) => {
      const { phase, subresource } = door
      return [addressOf({ path: phase, resource, subresource, operation }), door] as const
    }),
  )
}

function placeOf(phase: Door['phase'], { request }: SentReview): string {
  const { group, version, resource: plural } = request.resource
  const resource = { group, version, plural }
  return addressOf({ path: phase, resource, subresource: undefined, operation: request.operation })
}
