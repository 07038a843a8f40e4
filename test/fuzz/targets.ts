import { consequenceTargets } from './consequences.ts'
import { fileTargets } from './files.ts'
import { kindTargets } from './kinds.ts'
import { longTargets } from './long.ts'
import { partTargets } from './parts.ts'
import { passwordTargets } from './passwords.ts'
import { reviewTargets } from './reviews.ts'
import { serverTargets } from './servers.ts'
import type { Target } from './target.ts'
import { templateTargets } from './templates.ts'

/** All of them. */
export const targets: readonly Target[] = [
  ...reviewTargets,
  ...kindTargets,
  ...longTargets,
  ...consequenceTargets,
  ...passwordTargets,
  ...serverTargets,
  ...partTargets,
  ...fileTargets,
  ...templateTargets,
]
