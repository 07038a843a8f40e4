import type { Remotes } from '../admission/mutation.ts'
import { type ListingRequest, listingOf } from '../cluster/kube/cache/listing.ts'
import { liveReader } from '../cluster/kube/live-reader.ts'
import { type Connection, connect } from '../cluster/kube/wire/connection.ts'
import type { Config } from '../config.ts'
import { Fault } from '../faults.ts'
import { definedKinds, type Kind } from '../kind.ts'
import { isTerminating } from '../kube/metadata.ts'
import { identitiesOf } from '../process/identities.ts'
import { remotesOf } from '../process/remotes.ts'
import { systemClock } from '../timing/clock.ts'
import { type Assessment, assessments } from './stored.ts'
import { asJson, asText, resultOf } from './stored-report.ts'

export interface ClusterReview {
  readonly config: Config
  readonly kinds: readonly Kind[]
  /** An empty namespace reviews all. */
  readonly namespace: string
}
/** The text to print, and the exit code. */
export interface ClusterReport {
  readonly text: string
  readonly code: 0 | 1 | 3
}

/** Every object of these kinds that a cluster holds, before admission is installed there (UX-2). It reads, and nothing else. */
export async function reviewCluster(review: ClusterReview): Promise<ClusterReport> {
  const { config } = review
  await using resources = new AsyncDisposableStack()
  const connection = resources.adopt(await connect(config.kubeconfig), (each) => each.stop())
  const { passwords } = resources.adopt(remotesOf(), ({ stop }) => stop())
  const found = await surveyOf({ connection, remotes: { passwords } }, review).catch(inDoubt)
  return { text: config.output === 'json' ? asJson(found) : asText(found), code: codeOf(found.assessments) }
}

interface SurveyContext {
  readonly connection: Connection
  readonly remotes: Remotes
}

async function surveyOf({ connection, remotes }: SurveyContext, { config, kinds, namespace }: ClusterReview) {
  const { profile, controllers, user, group: groups } = config
  const listing = await listingOf(connection, listedOf(kinds), namespace)
  const found: Assessment[] = []
  const survey = {
    kinds,
    listing,
    live: liveReader(connection),
    parts: { remotes, profile, settings: config.settings, identities: identitiesOf({ controllers }) },
    asker: { user, ...(groups.length > 0 && { groups }) },
    clock: systemClock,
  }
  for await (const each of assessments(survey)) found.push(each)
  const stored = definedKinds(kinds).flatMap(({ resource }) => listing.of(resource))
  return { assessments: found, going: stored.filter(isTerminating).length }
}

/** Indexes all that any look-up of the resource uses. */
function listedOf(kinds: readonly Kind[]): readonly ListingRequest[] {
  const reads = kinds.flatMap((kind) => kind.reads)
  return definedKinds(kinds).map(({ resource }) => {
    const uses = reads.filter((read) => read.resource.plural === resource.plural)
    const byLabels = uses.flatMap(({ keeps }) => keeps?.byLabels ?? [])
    const byField = uses.flatMap(({ keeps }) => keeps?.byField ?? [])
    return { resource, byLabels: [...new Set(byLabels)], byField }
  })
}

/** Any failure of the cluster leaves the review undecided. */
function inDoubt(cause: unknown): never {
  throw cause instanceof Fault ? new Fault('CLUSTER_UNREACHABLE', cause.message, { cause }) : cause
}

/** An object without an answer weighs more than a refused one. */
function codeOf(found: readonly Assessment[]): ClusterReport['code'] {
  if (found.some((each) => resultOf(each) === 'unknown')) return 3
  return found.some((each) => resultOf(each) === 'refused') ? 1 : 0
}
