import { answerer, type Enforce } from '../admission/answer.ts'
import type { Means } from '../admission/mutation.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { inProcess, type WebhookCall } from '../cluster/memory/registered-webhooks.ts'
import type { Config } from '../config.ts'
import type { Kind } from '../kind.ts'
import { carryOutWith } from '../reconcile/apply.ts'
import { systemClock } from '../timing/clock.ts'
import { identitiesOf, OURSELVES } from './identities.ts'

export interface OwnCode {
  readonly kinds: readonly Kind[]
  readonly config: Config
  readonly means: Means
  readonly enforce: Enforce
}

/** A webhook in this process, whose cluster is that one: it looks things up there, and marks what is there. */
export function ownCode(cluster: MemoryCluster, { kinds, config, means, enforce }: OwnCode): WebhookCall {
  const { profile, controllers } = config
  const answer = answerer({
    kinds,
    readers: { cached: cluster, live: cluster },
    carryOut: carryOutWith({ merge: (of, ref, patch) => cluster.merge(of, ref, patch, { user: OURSELVES }) }),
    means,
    profile,
    settings: config.settings,
    enforce,
    rehearses: true,
    identities: identitiesOf({ controllers }),
  })
  return inProcess(answer, systemClock)
}
