import type { Scheduler } from 'fast-check'
import { answerer } from '../../src/admission/answer.ts'
import type { Admit } from '../../src/cluster/memory/admission.ts'
import { definitionsOf } from '../../src/cluster/memory/definitions.ts'
import { MemoryCluster } from '../../src/cluster/memory/memory-cluster.ts'
import { inProcess, registeredWebhooks } from '../../src/cluster/memory/registered-webhooks.ts'
import { needsOf } from '../../src/cluster/needs.ts'
import type { Built, ClusterReader, ClusterWriter } from '../../src/cluster/port.ts'
import { Fault } from '../../src/faults.ts'
import { asCluster } from '../../src/process/memory-cluster.ts'
import { carryOutWith, performed } from '../../src/reconcile/apply.ts'
import type { Key } from '../../src/reconcile/controller.ts'
import { tconfig } from '../../webhooks/tars/tconfig/kind.ts'
import { tconfigController } from '../../webhooks/tars/tconfig/reconcile.ts'
import { TCONFIG } from '../../webhooks/tars/tconfig/schema.ts'
import { tframeworkconfig } from '../../webhooks/tars/tframeworkconfig/kind.ts'
import { answererPartsOf, CTRL, WEBHOOK } from './answerer-parts.ts'
import { GIVEN } from './servers-seen.ts'

/** A user whose requests another webhook refuses, after ours has marked for them. */
export const UNLUCKY = 'unlucky'
const KINDS = [tconfig, tframeworkconfig]
const KEY: Key = { namespace: 'demo', name: 'echo.conf', group: ['Demo', 'Echo', 'm'] }
const START = Date.parse('2026-11-18T12:00:00Z')

interface Wishes {
  readonly scheduler: Pick<Scheduler, 'schedule'>
  /** What becomes of the marks of the webhook, one after the other: it may end before a mark, or behind it. */
  readonly marks: readonly ('set' | 'lost' | 'lost behind it')[]
  /** By how much the clock of the worker is ahead. */
  readonly skewMs: number
  readonly there: readonly Built[]
}

/**
 * A cluster of TConfigs with webhook and controller, in which the scheduler decides which read, which mark, which request
 * and which turn comes next. Each takes 7 ms.
 */
export function interleavedWorld({ scheduler, marks, skewMs, there }: Wishes) {
  let now = START
  let count = 0
  const next = () => String(++count).padStart(12, '0')
  const clock = { now: () => new Date(now), tick: () => 0 }
  const step = async (label: string) => {
    await scheduler.schedule(Promise.resolve(), label)
    now += 7
  }
  const slow: ClusterReader = {
    get: (of, ref) => step(`get ${ref.name}`).then(() => cluster.get(of, ref)),
    list: (of, where) => step('list').then(() => cluster.list(of, where)),
    dryRun: (of, object, by) => step(`dry-run ${object.metadata.name}`).then(() => cluster.dryRun(of, object, by)),
  }
  const cluster: MemoryCluster = new MemoryCluster({
    definitions: definitionsOf(KINDS),
    admit: (phase, review) => admit(phase, review),
    clock,
    chance: { uid: next, suffix: next },
  })
  const parts = answererPartsOf({
    kinds: KINDS,
    readers: { cached: slow, live: slow },
    carryOut: carryOutWith({ merge: markingOf(cluster, marks, step) }),
  })
  const ours = registeredWebhooks(KINDS, inProcess(answerer(parts), clock), WEBHOOK)
  const admit: Admit = async (phase, review) => {
    const admitted = await ours(phase, review)
    if (phase === 'mutate') return admitted
    await step(`${review.request.operation} is validated`)
    const allowed = review.request.userInfo.username !== UNLUCKY
    return [...admitted, { webhook: 'another', response: { uid: review.request.uid, allowed } }]
  }
  cluster.seed(there)

  const { readers, writer } = asCluster(cluster, needsOf({ controllers: [tconfigController] }, 'worker').reads, CTRL)
  /** One turn of the controller, at its own time. */
  async function turn(live: ClusterReader, laterMs = 0) {
    const { settings, facts } = GIVEN
    const given = { at: new Date(now + laterMs + skewMs), attempt: 0, profile: 'seed', settings, facts } as const
    const context = { ...given, live, writer, signal: new AbortController().signal }
    const carryOut = { context, write: (action: Parameters<typeof performed>[0]) => performed(action, writer) }
    return tconfigController.turn(KEY, { ...given, sight: { cached: readers.cached, live, gone: () => [] }, carryOut })
  }
  return {
    cluster,
    step,
    now: () => now,
    turn: () => turn(slow),
    /** Turns until nothing is left to do, with all the time that marks are given. */
    async settle(): Promise<void> {
      for (const laterMs of [0, 100_000, 200_000])
        for (let left = 20; ((await turn(cluster, laterMs))?.results ?? []).length > 0; left -= 1)
          if (left === 0) throw new Error('the controller comes to no end')
    },
    versions: () => cluster.list(TCONFIG, { namespace: 'demo' }),
  }
}

/** The marks of a webhook that may end before a mark, or behind it. */
function markingOf(
  cluster: MemoryCluster,
  marks: Wishes['marks'],
  step: (label: string) => Promise<void>,
): ClusterWriter['merge'] {
  const waiting = [...marks]
  return async (of, ref, patch) => {
    await step(`mark ${ref.name}`)
    const outcome = waiting.shift()
    if (outcome === 'lost') throw new Fault('CLUSTER_UNREACHABLE', 'the webhook ended')
    const marked = await cluster.merge(of, ref, patch, { user: WEBHOOK })
    if (outcome === 'lost behind it') throw new Fault('CLUSTER_UNREACHABLE', 'the webhook ended')
    return marked
  }
}
