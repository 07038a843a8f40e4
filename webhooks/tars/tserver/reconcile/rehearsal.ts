import type { PerformContext, Performed, Step } from '../../../kit/controller.ts'
import { Refused } from '../../../kit/schema.ts'
import type { WantedObject } from '../objects/objects.ts'

/** A create that is tried out before what stands in its way is removed, so that a rejection removes nothing (MP-36). */
export interface Rehearsal extends Step {
  readonly do: 'dry-run create'
  readonly wanted: WantedObject
}

export const rehearsalOf = (wanted: WantedObject, because: string): Rehearsal => ({
  do: 'dry-run create',
  wanted,
  because,
})

/**
 * The API server looks for the name last, so AlreadyExists says that it accepts all else (measured). A quota that is
 * full counts the old object too, and refuses: then it has to have room for one more.
 */
export async function rehearsed(
  { wanted: { of, object } }: Rehearsal,
  { live }: Pick<PerformContext, 'live'>,
): Promise<Performed> {
  try {
    await live.dryRun(of, object, 'create')
    return ACCEPTED
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    return cause.status.code === 409 ? ACCEPTED : { outcome: 'refused', message: cause.message, cause }
  }
}
/** Nothing was written. */
const ACCEPTED: Performed = { outcome: 'needless' }
