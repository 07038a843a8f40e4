import type { Plan, Result } from '../../../kit/controller.ts'
import { endedAs } from '../status/ended.ts'
import { knownOf } from '../status/known.ts'
import { measuredOf } from '../status/measured.ts'
import { statusOf, statusUpdate } from '../status/status.ts'
import type { Confirmation } from './confirm.ts'
import type { NacosGiven, NacosMemory } from './memory.ts'
import { badPatternsIn, noticesOf } from './notices.ts'
import type { NacosSeen } from './seen.ts'

/** Pure: what the answers come to. */
export function conclude(
  seen: NacosSeen,
  results: readonly Result<Confirmation>[],
  given: NacosGiven,
): Plan<never, NacosMemory> {
  const ended = endedAs(seen, results)
  const known = knownOf(seen, ended, given)
  return {
    actions: statusUpdate(seen, statusOf(seen, ended, known, given.at)),
    notices: noticesOf(seen, ended, known, given),
    measured: measuredOf(seen, ended, known),
    remember: { ...known.memory, badPatterns: badPatternsIn(seen, given) },
    ...(known.againInMs !== undefined && { againInMs: known.againInMs }),
  }
}
