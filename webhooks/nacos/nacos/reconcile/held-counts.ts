import type { Sight } from '../../../kit/controller.ts'
import type { Sample } from '../../../kit/telling.ts'
import { heldSample } from '../../metrics.ts'
import { NACOS } from '../schema.ts'
import { HELD_REASONS } from './held.ts'
import { HELD } from './indexes.ts'

/** How many Nacos are held, by reason, as their status says (NC-REC-73). */
export function heldCounts(cached: Sight['cached']): Promise<readonly Sample[]> {
  const counts = HELD_REASONS.map(async (value) => {
    const held = await cached.list(NACOS, { namespace: '', by: { index: HELD, value }, metadataOnly: true })
    return heldSample(value, held.length)
  })
  return Promise.all(counts)
}
