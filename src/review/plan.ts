import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { needsOf } from '../cluster/needs.ts'
import { type Built, type Gvr, type KubeObject, type Ref, Refused } from '../cluster/port.ts'
import { resource } from '../cluster/resource.ts'
import { isNamed, refOf } from '../cluster/stored.ts'
import { HOME } from '../config.ts'
import { type ControllerRemotes, controllersOf, type Family, kindsOf } from '../family.ts'
import { Fault } from '../faults.ts'
import { definedKinds } from '../kind.ts'
import { workerIn } from '../process/identities.ts'
import { asCluster } from '../process/memory-cluster.ts'
import type { Notice } from '../reconcile/action.ts'
import type { Controller, Result, Step } from '../reconcile/controller.ts'
import { type SettledTurns, settle } from '../reconcile/settle.ts'
import { object, type Tree } from '../schema.ts'
import { storedNow } from './bring.ts'
import { type AuthoredDocument, kindOf, placed } from './objects.ts'
import type { ReviewOutcome } from './review-report.ts'
import type { Seeding } from './seed.ts'
import { shownIn } from './shown.ts'

/** What the worker would do with what stands in the embedded cluster now. */
export interface ReviewPlan {
  readonly assumptions: readonly Assumption[]
  readonly writes: readonly PlannedWrite[]
  readonly notices: readonly Notice[]
}
/** A decision that the plan takes for a person. */
export interface Assumption {
  readonly of: Gvr
  readonly ref: Ref
  readonly says: string
  /** Why it would not be taken, in the words of admission. */
  readonly refused?: string
}
export interface PlannedWrite {
  /** What an action does; `collect` is what the garbage collector does. */
  readonly do: string
  readonly because: string
  /** Absent for a step outside of the cluster. */
  readonly target?: { readonly of: Gvr; readonly ref: Ref; readonly subresource?: string | undefined }
  readonly object?: Tree
  /** Why it is not done. */
  readonly refused?: string
}

export interface Planning extends Pick<Seeding, 'config' | 'facts'> {
  readonly remotes: ControllerRemotes
  readonly families: readonly Family[]
  readonly cluster: MemoryCluster
  /** What stood before, and what is reviewed. */
  readonly there: readonly AuthoredDocument[]
  readonly written: readonly AuthoredDocument[]
}

/** How long what waits is waited for: marks of a TConfig are settled after 30 seconds. */
const FOR_MS = 40_000
const TURNS_AT_LEAST = 100
/** Of a key that many objects share. */
const TURNS_OF_EACH = 4

/** What stood before becomes first what it becomes, so that a plan shows what the files change. */
export class Planner {
  readonly #planning: Planning
  readonly #controllers: readonly Controller[]
  readonly #began = new Date()
  #before: readonly StoredThere[] = []

  constructor(planning: Planning) {
    const { families, remotes, config } = planning
    this.#planning = planning
    this.#controllers = controllersOf(families, remotes, config.settings)
  }

  async settleWhatStands(): Promise<void> {
    await this.#settled()
    this.#before = await this.#made()
  }

  async plan(outcomes: readonly ReviewOutcome[]): Promise<ReviewPlan> {
    const assumptions: Assumption[] = []
    for (const { written, result } of outcomes)
      if (result === 'admitted') assumptions.push(...(await this.#decided(written)))
    const { results, notices } = await this.#settled()
    const shown = shownIn({ uids: await this.#uids(), from: this.#began, to: new Date(Date.now() + FOR_MS) })
    const writes = results.flatMap((result) => writeIn(result, shown))
    return { assumptions, writes: [...writes, ...(await this.#collected(results))], notices }
  }

  #settled(): Promise<SettledTurns> {
    const { cluster, config, facts, there, written } = this.#planning
    const needs = needsOf({ controllers: this.#controllers }, 'worker')
    return settle(this.#controllers, asCluster(cluster, needs.reads, workerIn(HOME)), {
      settings: config.settings,
      profile: config.profile,
      facts,
      at: new Date(),
      forMs: FOR_MS,
      turnsAtMost: TURNS_AT_LEAST + TURNS_OF_EACH * (there.length + written.length),
    })
  }

  /** Goes on as if a person had decided. */
  async #decided(written: AuthoredDocument): Promise<readonly Assumption[]> {
    const { cluster, config, families } = this.#planning
    const { resource: of, decision } = kindOf(kindsOf(families, config.settings), written.object) ?? {}
    const [placedDocument] = placed(written, config.namespace)
    if (of === undefined || decision === undefined || placedDocument === undefined) return []
    const ref = refOf(placedDocument.object)
    const stored = await storedNow(cluster, of, ref)
    const patch = stored && decision.patch(stored, new Date())
    if (patch === undefined) return []
    const { user, group: groups } = config
    const assumption = { of, ref, says: decision.says }
    try {
      await cluster.merge(of, ref, patch, { user, ...(groups.length > 0 && { groups }) })
      return [assumption]
    } catch (cause) {
      if (!(cause instanceof Refused || cause instanceof Fault)) throw cause
      return [{ ...assumption, refused: cause.message }]
    }
  }

  /** Those of the objects of our families, each with that by which its file knows it. */
  async #uids(): Promise<ReadonlyMap<string, string>> {
    const { cluster, config, families, there, written } = this.#planning
    const authored = new Map(
      [...there, ...written].flatMap((each) =>
        placed(each, config.namespace).map(({ object }) => [titleOf(object), object.metadata.uid] as const),
      ),
    )
    const lists = definedKinds(kindsOf(families, config.settings)).map(async ({ resource: of }) => {
      const objects = await cluster.list(anyOf(of), { namespace: '' })
      return objects.map(
        (object) => [object.metadata.uid ?? '', authored.get(titleOf({ kind: of.kind, ...object })) ?? NO_UID] as const,
      )
    })
    return new Map((await Promise.all(lists)).flat())
  }

  /** What controllers may make. */
  async #made(): Promise<readonly StoredThere[]> {
    const { cluster } = this.#planning
    const made = new Map(this.#controllers.flatMap(({ writes }) => writes).map(({ resource: of }) => [of.plural, of]))
    const lists = [...made.values()].map(async (of) => {
      const objects = await cluster.list(anyOf(of), { namespace: '' })
      return objects.map((object) => ({ of, object }))
    })
    return (await Promise.all(lists)).flat()
  }

  /** What is gone, and was neither removed by an action nor by the files. */
  async #collected(results: readonly Result<Step>[]): Promise<readonly PlannedWrite[]> {
    const there = new Set((await this.#made()).map(({ object }) => object.metadata.uid))
    const removed = new Set(results.flatMap(({ action }) => ('expects' in action ? action.expects.uid : [])))
    const gone = this.#before.filter(({ object: { metadata } }) => !there.has(metadata.uid) && hasOwner(metadata))
    return gone
      .filter(({ object }) => !removed.has(object.metadata.uid ?? ''))
      .map(({ of, object }) => ({ do: 'collect', because: 'its owner is gone', target: { of, ref: refOf(object) } }))
  }
}

interface StoredThere {
  readonly of: Gvr
  readonly object: KubeObject
}

const anyOf = (of: Gvr) => resource(of, object({}))
const hasOwner = ({ ownerReferences }: KubeObject['metadata']) => (ownerReferences ?? []).length > 0

/** An apply is shown as it is sent, and what is created as it is then stored. */
function writeIn(
  { action, outcome, answer, message = '' }: Result<Step>,
  shown: (object: Built) => Tree,
): readonly PlannedWrite[] {
  const isRefused = outcome === 'refused' || outcome === 'failed'
  if (!isRefused && outcome !== 'done') return []
  const { do: verb, because } = action
  const write = { do: verb, because, ...(isRefused && { refused: message }) }
  if (!('of' in action)) return [write]
  if ('object' in action) {
    const { of, object } = action
    const stored = action.do === 'create' && isNamed(answer) ? answer : object
    return [{ ...write, target: { of, ref: refOf(object) }, ...(!isRefused && { object: shown(stored) }) }]
  }
  const { of, ref } = action
  const subresource = 'subresource' in action ? action.subresource : undefined
  return [{ ...write, target: { of, ref, subresource } }]
}

const NO_UID = '00000000-0000-0000-0000-000000000000'
const titleOf = ({ kind, metadata }: KubeObject & { readonly kind?: unknown }) =>
  [kind, metadata.namespace, metadata.name].join(' ')
