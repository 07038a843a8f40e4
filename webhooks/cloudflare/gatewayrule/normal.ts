import { isTree, type Tree } from '../../kit/schema.ts'

/** The API answers expressions in another form, and adds what is off; neither is a difference (CF-ONE-04). */
export function normalRule({ traffic, identity, device_posture, schedule, expiration, ...rest }: Tree): Tree {
  return {
    ...rest,
    traffic: expressionOf(traffic),
    identity: expressionOf(identity),
    device_posture: expressionOf(device_posture),
    schedule: scheduleOf(schedule),
    expiration: isTree(expiration) ? endOf(expiration) : null,
  }
}

/** Without the white space outside of strings. */
const PARTS = /"(?:\\.|[^"\\])*"?|\s+/gs
function expressionOf(text: unknown): string {
  return String(text ?? '').replaceAll(PARTS, (part) => (part.startsWith('"') ? part : ''))
}

/** A day that is left out is one without a time, so days are compared all together. */
function scheduleOf(schedule: unknown): string {
  const days = Object.entries(isTree(schedule) ? schedule : {}).filter(([, times]) => Boolean(times))
  return JSON.stringify(days.sort(([one], [other]) => (one < other ? -1 : 1)))
}

function endOf({ expires_at, ...rest }: Tree): Tree {
  if (expires_at === undefined) return rest
  const moment = Date.parse(String(expires_at))
  return { ...rest, expires_at: Number.isNaN(moment) ? expires_at : moment }
}
