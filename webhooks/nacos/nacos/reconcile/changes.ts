import { isSame } from '../../../kit/admission.ts'
import type { TwoStates } from '../../../kit/controller.ts'
import type { KubeObject } from '../../../kit/schema.ts'
import { NACOS } from '../schema.ts'
import { heldReasonOf } from '../status/measured.ts'

/** A change of the status alone means nothing (NC-WCH-01), but for the reason of a hold, by which all Nacos are counted. */
export function isMeant({ before, now }: TwoStates): boolean {
  return before === undefined || now === undefined || !isSame(askedIn(before), askedIn(now))
}

function askedIn(object: KubeObject): readonly unknown[] {
  const { uid, generation, labels, annotations, deletionTimestamp } = object.metadata
  const held = NACOS.isOutline(object) ? heldReasonOf(object) : undefined
  return [uid, generation, labels, annotations, deletionTimestamp, held].map((each) => each ?? null)
}
