import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import { ALWAYS, type Leadership } from '../reconcile/leadership.ts'
import { Election } from '../reconcile/lease.ts'
import { type LeaseClient, leaseNameFor } from '../reconcile/lease-record.ts'
import { refuseUpstream } from '../reconcile/upstream.ts'
import { type Clock, systemClock } from '../timing/clock.ts'
import type { ProcessContext } from './process.ts'
import type { ProcessPart } from './running.ts'

export interface ElectingParts extends Pick<ProcessContext, 'log'> {
  readonly config: Pick<Config, 'namespace' | 'namespaces' | 'leaderElect' | 'besideUpstream'>
  readonly client: LeaseClient
  readonly clock?: Clock
}

/** It starts before what writes, and so ends after it: the Lease is released when all is written. */
export interface ElectingPart extends ProcessPart {
  readonly leadership: Leadership
}

export function electing({ config, client, log, clock = systemClock }: ElectingParts): ElectingPart {
  const identity = `${hostname()}_${randomUUID()}`
  const lease = { namespace: config.namespace, name: leaseNameFor(config.namespaces) }
  const election = new Election({ lease, identity, client, clock, log })
  return {
    leadership: config.leaderElect ? election : { ...ALWAYS, identity },
    checks: [],
    async start(opened) {
      const stopping = opened.adopt(new AbortController(), (each) => each.abort(new Error(ENDING)))
      if (!config.besideUpstream) await refuseUpstream({ client, clock, log, signal: stopping.signal })
      stopping.signal.throwIfAborted()
      if (config.leaderElect) {
        election.start()
        opened.defer(() => election.stop())
      }
      return {}
    },
  }
}

const ENDING = 'this process is about to end'
