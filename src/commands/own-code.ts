import { kinds } from '../../webhooks/index.ts'
import type { Means } from '../admission/mutation.ts'
import { answerer, type Enforce } from '../answer.ts'
import { systemClock } from '../clock.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { type Call, inProcess } from '../cluster/memory/registered-webhooks.ts'
import type { Config } from '../config.ts'
import { carryOutWith } from '../intents.ts'
import { identitiesOf, OURSELVES } from './identities.ts'

export interface OwnCode {
  readonly config: Config
  readonly means: Means
  readonly enforce: Enforce
}

/** A webhook in this process, whose cluster is that one: it looks things up there, and marks what is there. */
export function ownCode(cluster: MemoryCluster, { config, means, enforce }: OwnCode): Call {
  const { profile, controllers } = config
  const answer = answerer({
    kinds,
    readers: { cached: cluster, live: cluster },
    carryOut: carryOutWith({ merge: (of, ref, patch) => cluster.merge(of, ref, patch, { user: OURSELVES }) }),
    means,
    profile,
    settings: config,
    enforce,
    rehearses: true,
    identities: identitiesOf({ controllers }),
  })
  return inProcess(answer, systemClock)
}
