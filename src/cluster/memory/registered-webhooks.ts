import type { Answerer } from '../../admission/answer.ts'
import { deadlineOf } from '../../admission/deadline.ts'
import { addressesOf, addressOf, type Door } from '../../admission/door.ts'
import { CONTROLLER } from '../../admission/identities.ts'
import type { Response } from '../../admission/response.ts'
import { reviewOf } from '../../admission/review.ts'
import type { Kind } from '../../kind.ts'
import { accountName, NAMESPACE_NAME } from '../../kube/names.ts'
import { selects } from '../../kube/selectors.ts'
import type { Clock } from '../../timing/clock.ts'
import { type Admit, type Admitted, patched, type SentReview } from './admission.ts'
import { metaOf } from './object-meta.ts'

export type WebhookCall = (door: Door, review: SentReview) => Promise<Response>

/**
 * Finds the webhooks of a request as an API server does from the configurations that are printed from the doors.
 * `ourselves` is the user that the webhook writes as.
 */
export function registeredWebhooks(kinds: readonly Kind[], call: WebhookCall, ourselves: string): Admit {
  const doors = doorsByPlace(kinds)
  return async (phase, review) => {
    const admitted: Admitted[] = []
    let { object } = review.request
    const registered = doors.get(placeOf(phase, review)) ?? []
    for (const door of registered) {
      const isLast = door === registered.at(-1)
      const sent = { ...review, request: { ...review.request, object: isLast ? object : structuredClone(object) } }
      if (!matches(door, sent, ourselves)) continue
      const response = await call(door, sent)
      admitted.push({ webhook: door.name, response })
      if (!response.allowed) break
      if (!isLast) object = patched(object, response)
    }
    return admitted
  }
}

/**
 * Matches like the printed selectors: the new or the old object has to fit. A namespace has only the label with its
 * name here, and match conditions in CEL let every request pass, since the handler repeats them (CV-7).
 */
function matches(door: Door, { request }: SentReview, ourselves: string) {
  const { exceptOurselves, exceptController, exceptNamespaces, objectSelector, namespaceSelector } = door
  const [, , home] = ourselves.split(':')
  const { username } = request.userInfo
  if (exceptOurselves && username === ourselves) return false
  if (exceptController && username === accountName(home ?? '', CONTROLLER)) return false
  if (exceptNamespaces !== undefined && [...exceptNamespaces, home].includes(request.namespace)) return false
  const { namespace } = request
  if (namespace && namespaceSelector && !selects(namespaceSelector, { [NAMESPACE_NAME]: namespace })) return false
  if (objectSelector === undefined) return true
  const seen = [request.object, request.oldObject].filter((object) => object !== null)
  return seen.some(({ metadata }) => selects(objectSelector, metaOf(metadata).labels))
}

/** Calls our own code, in this process. */
export function inProcess(answer: Answerer, clock: Pick<Clock, 'now' | 'tick'>): WebhookCall {
  return async ({ path, timeoutSeconds }, review) => {
    const deadline = deadlineOf(timeoutSeconds * 1000, () => clock.tick())
    const { response } = await answer(reviewOf(review), { path, at: clock.now(), deadline })
    return response
  }
}

/** Doors with the same name are one webhook, which is called once. */
function doorsByPlace(kinds: readonly Kind[]): ReadonlyMap<string, readonly Door[]> {
  const byPlace = new Map<string, readonly Door[]>()
  for (const { resource, doors } of kinds) {
    for (const door of doors) {
      for (const place of addressesOf(resource, { ...door, path: door.phase })) {
        const others = byPlace.get(place) ?? []
        if (!others.some(({ name }) => name === door.name)) byPlace.set(place, [...others, door])
      }
    }
  }
  return byPlace
}

function placeOf(phase: Door['phase'], { request }: SentReview): string {
  const { group, version, resource: plural } = request.resource
  const resource = { group, version, plural }
  return addressOf({ path: phase, resource, subresource: undefined, operation: request.operation })
}
