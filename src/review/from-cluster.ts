import { kinds } from '../../webhooks/index.ts'
import type { Means } from '../admission/mutation.ts'
import { type ListingRequest, listingOf } from '../cluster/kube/cache/listing.ts'
import { liveReader } from '../cluster/kube/live-reader.ts'
import { type Connection, connect } from '../cluster/kube/wire/connection.ts'
import type { ExitCode, World } from '../commands/command.ts'
import type { Config } from '../config.ts'
import { Fault } from '../faults.ts'
import type { Kind } from '../kind.ts'
import { isTerminating } from '../kube/metadata.ts'
import { identitiesOf } from '../process/identities.ts'
import { meansOf } from '../process/means.ts'
import { systemClock } from '../timing/clock.ts'
import { type Assessment, assessments, surveyed } from './stored.ts'
import { asJson, asText, resultOf } from './stored-report.ts'

/** Every object of ours that a cluster holds, before admission is installed there (UX-2). It reads, and nothing else. */
export async function reviewCluster(config: Config, namespace: string, { out }: World): Promise<ExitCode> {
  await using hands = new AsyncDisposableStack()
  const connection = hands.adopt(await connect(config.kubeconfig), (each) => each.stop())
  const { passwords } = hands.adopt(meansOf(), ({ stop }) => stop())
  const found = await surveyOf({ connection, means: { passwords } }, config, namespace).catch(inDoubt)
  out(config.output === 'json' ? asJson(found) : asText(found))
  return codeOf(found.assessments)
}

interface SurveyContext {
  readonly connection: Connection
  readonly means: Means
}

async function surveyOf({ connection, means }: SurveyContext, config: Config, namespace: string) {
  const { profile, controllers, user, group: groups } = config
  const stock = await listingOf(connection, surveyed(kinds).map(shelfOf), namespace)
  const found: Assessment[] = []
  const survey = {
    kinds,
    stock,
    live: liveReader(connection),
    desk: { means, profile, settings: config, identities: identitiesOf({ controllers }) },
    asker: { user, ...(groups.length > 0 && { groups }) },
    clock: systemClock,
  }
  for await (const each of assessments(survey)) found.push(each)
  const stored = surveyed(kinds).flatMap(({ resource }) => stock.of(resource))
  return { assessments: found, going: stored.filter(isTerminating).length }
}

/** With an index for each label by which anybody looks the resource up. */
function shelfOf({ resource }: Kind): ListingRequest {
  const reads = kinds.flatMap((kind) => kind.reads).filter((read) => read.resource.plural === resource.plural)
  return { resource, byLabels: [...new Set(reads.flatMap(({ kept }) => kept?.byLabels ?? []))] }
}

/** Whatever a cluster does not answer: nothing was refused. */
function inDoubt(cause: unknown): never {
  throw cause instanceof Fault ? new Fault('CLUSTER_UNREACHABLE', cause.message, { cause }) : cause
}

/** What could not be said weighs more than what was refused. */
function codeOf(found: readonly Assessment[]): ExitCode {
  if (found.some((each) => resultOf(each) === 'unknown')) return 3
  return found.some((each) => resultOf(each) === 'refused') ? 1 : 0
}
