import { type AnswererParts, answerer } from '../admission/answer.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { inProcess, registeredWebhooks, type WebhookCall } from '../cluster/memory/registered-webhooks.ts'
import { needsOf } from '../cluster/needs.ts'
import { type Config, HOME } from '../config.ts'
import { carryOutWith } from '../reconcile/apply.ts'
import { systemClock } from '../timing/clock.ts'
import { identitiesOf, ourselvesIn } from './identities.ts'
import { memoryCluster } from './memory-cluster.ts'

export interface OwnCode extends Pick<AnswererParts, 'kinds' | 'remotes' | 'enforce' | 'rehearses' | 'facts'> {
  readonly config: Config
  /** The namespace of the installation. */
  readonly namespace?: string
}

/** A webhook in this process that looks up and marks objects in the given cluster. */
export function ownCode(cluster: MemoryCluster, { config, namespace = HOME, ...own }: OwnCode): WebhookCall {
  const { profile, controllers } = config
  const user = ourselvesIn(namespace)
  const answer = answerer({
    ...own,
    readers: { cached: cluster.cachedFor(needsOf({ kinds: own.kinds }, 'webhook').reads), live: cluster },
    carryOut: carryOutWith({ merge: (of, ref, patch) => cluster.merge(of, ref, patch, { user }) }),
    profile,
    settings: config.settings,
    identities: identitiesOf({ namespace, controllers }),
  })
  return inProcess(answer, systemClock)
}

/** An embedded cluster that sends each write to our own code, as a real one calls its registered webhooks. */
export function admittedCluster(own: OwnCode): MemoryCluster {
  const { kinds, namespace = HOME } = own
  const cluster: MemoryCluster = memoryCluster(kinds, (phase, review) => admit(phase, review))
  const admit = registeredWebhooks(kinds, ownCode(cluster, own), ourselvesIn(namespace))
  return cluster
}
