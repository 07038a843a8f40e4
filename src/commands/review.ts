import fastJsonPatch from 'fast-json-patch'
import { type BareText, bareTexts, inQuotes } from '../admission/bare-texts.ts'
import { isDry, type Objections, type WriteOptions } from '../cluster/memory/admission.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { objectMeta } from '../cluster/memory/object-meta.ts'
import { registeredWebhooks, type WebhookCall } from '../cluster/memory/registered-webhooks.ts'
import { Refused } from '../cluster/port.ts'
import { type Config, flagOf, HOME, type Name, OF_RULES, UsageError } from '../config.ts'
import type { Fact } from '../fact.ts'
import { factsIn, kindsOf } from '../family.ts'
import { Fault } from '../faults.ts'
import type { Kind } from '../kind.ts'
import type { Cause, Status } from '../kube/status.ts'
import { factsInMemory } from '../process/facts.ts'
import { contentOf } from '../process/files.ts'
import { OURSELVES } from '../process/identities.ts'
import { ownCode } from '../process/in-process-webhook.ts'
import { memoryCluster } from '../process/memory-cluster.ts'
import { remotesOf } from '../process/remotes.ts'
import { accept, write } from '../review/bring.ts'
import { filled } from '../review/filled.ts'
import {
  type AuthoredDocument,
  type AuthoredObject,
  kindOf,
  objectsIn,
  type PlacedDocument,
  placed,
  placedIn,
  type Reading,
  STDIN,
  storedIn,
} from '../review/objects.ts'
import { Planner, type Planning, type ReviewPlan } from '../review/plan.ts'
import { asData as planAsData, asText as planAsText, asYaml as planAsYaml } from '../review/plan-report.ts'
import { refusalOf } from '../review/refusal.ts'
import { remoteWebhook } from '../review/remote-webhook.ts'
import { asJson, asText, type ReviewOutcome } from '../review/review-report.ts'
import { type Seeding, seed } from '../review/seed.ts'
import { mustBeServed } from '../review/served-kinds.ts'
import type { JsonSchema } from '../schema.ts'
import { type Chosen, type Command, type ExitCode, NO_PAGE, type World } from './command.ts'

/** These settings apply to files alone. */
const OF_FILES = [
  'file',
  'recursive',
  'operation',
  'old',
  'seed',
  'server',
  'ca',
  'plan',
] as const satisfies readonly Name[]

export const review: Command = {
  settings: [...OF_FILES, 'fromCluster', 'kubeconfig', 'user', 'group', 'namespace', 'output', ...OF_RULES],
  usual: { namespace: 'default' },
  says: {
    kubeconfig: 'which cluster, and who may read there',
    namespace: 'of objects that name none; of a cluster, the only one to review',
    seed: 'objects that are there already; manifests as if created there',
  },
  async run(config, world, chosen) {
    mustFit(config)
    if (config.fromCluster) return reviewStored(config, world, chosen)
    if (config.file.length === 0) throw new UsageError('name what to review: -f FILE|DIR, or --from-cluster')
    const { families } = chosen
    const kinds = kindsOf(families, config.settings)
    const reading = readingOf(config, kinds, world)
    const written = await objectsIn(config.file, reading)
    if (written.length === 0) throw new UsageError(`there is no object in ${config.file.join(', ')}`)
    await using resources = new AsyncDisposableStack()
    const { passwords, cloudflare } = resources.adopt(remotesOf(), ({ stop }) => stop())
    const seeding = { config, remotes: { passwords, cloudflare }, ...reading, asked: factsIn(families) }
    const { there, ...on } = await embeddedCluster(written, seeding)
    const { cluster } = on
    const planner = config.plan ? new Planner({ ...seeding, ...on, families, there, written }) : undefined
    if (there.length > 0) await planner?.settleWhatStands()
    const outcomes: ReviewOutcome[] = []
    for (const each of written) outcomes.push(await outcomeOf(each, cluster, { config, kinds }))
    world.out(report(outcomes, config, await planner?.plan(outcomes)))
    return codeOf(outcomes)
  },
}

function mustFit({ plan, server, output }: Config): void {
  if (plan && server !== undefined)
    throw new UsageError('--plan plans on the embedded cluster, so it takes no --server, which has its own')
  if (output === 'html') throw new UsageError(NO_PAGE)
  if (output === 'yaml' && !plan) throw new UsageError('-o yaml is the form of --plan')
}

function report(outcomes: readonly ReviewOutcome[], { output }: Config, plan: ReviewPlan | undefined): string {
  if (output === 'json') return asJson(outcomes, plan && { plan: planAsData(plan) })
  if (plan === undefined) return asText(outcomes)
  return output === 'yaml' ? planAsYaml(plan, asText(outcomes)) : asText(outcomes) + planAsText(plan)
}

async function reviewStored(config: Config, world: World, { families, explicit }: Chosen): Promise<ExitCode> {
  const ofFiles = OF_FILES.find((name) => explicit.has(name))
  if (ofFiles !== undefined)
    throw new UsageError(`--from-cluster reviews what is stored, so it takes no --${flagOf(ofFiles)}`)
  const { reviewCluster } = await import('../review/from-cluster.ts')
  const namespace = explicit.has('namespace') ? config.namespace : ''
  const { text, code } = await reviewCluster({ config, kinds: kindsOf(families, config.settings), namespace })
  world.out(text)
  return code
}

function readingOf(
  { file, seed, old = '', recursive }: Config,
  kinds: readonly Kind[],
  { stdin, err }: World,
): Reading {
  if ([...file, ...seed, old].filter((path) => path === STDIN).length > 1)
    throw new UsageError('- stands for stdin, which is read once: name it in one place')
  return { kinds, recursive, stdin, note: (note) => err(`${note}\n`) }
}

/** Contains the seed before the first file is reviewed; calls our own code, or the named server. */
async function embeddedCluster(
  written: readonly AuthoredDocument[],
  seeding: Seeding & Reading & { readonly asked: readonly Fact<unknown>[] },
): Promise<Pick<Planning, 'cluster' | 'facts'> & { readonly there: readonly PlacedDocument[] }> {
  const { kinds, config } = seeding
  const cluster: MemoryCluster = memoryCluster(kinds, (phase, sent) => admit(phase, sent))
  const facts = factsInMemory(seeding.asked, () => cluster, HOME)
  const admit = registeredWebhooks(kinds, await webhookOf(cluster, { ...seeding, facts }), OURSELVES)
  await facts.askAll()
  const seeds = [...toBeDeleted(written, config), ...(await storedIn(config.seed, config.namespace, seeding))]
  await seed(cluster, seeds, { ...seeding, facts })
  const old = await before(config, seeding)
  cluster.seed(old.map(({ object }) => object))
  return { cluster, facts, there: [...seeds, ...old] }
}

async function webhookOf(cluster: MemoryCluster, seeding: Seeding): Promise<WebhookCall> {
  const { server, ca } = seeding.config
  if (server === undefined) return ownCode(cluster, { ...seeding, enforce: 'refuse', rehearses: true })
  return remoteWebhook(server, ca === undefined ? undefined : await contentOf(ca))
}

/** An object must exist before it can be deleted; a seed takes precedence over the file. */
function toBeDeleted(
  written: readonly AuthoredDocument[],
  { operation, namespace }: Config,
): readonly PlacedDocument[] {
  return operation === 'DELETE' ? written.flatMap((each) => placed(each, namespace)) : []
}

/** The other side of a change, so it is word for word what somebody says it was. */
async function before({ old, namespace }: Config, reading: Reading): Promise<readonly PlacedDocument[]> {
  return old === undefined ? [] : storedIn([old], namespace, reading)
}

async function outcomeOf(
  written: AuthoredDocument,
  cluster: MemoryCluster,
  { config, kinds }: Pick<Seeding, 'config' | 'kinds'>,
): Promise<ReviewOutcome> {
  const objections: Objections = { unknownFields: [], causes: [] }
  const of = kindOf(kinds, written.object)?.resource
  const schema = withMetadata(of?.schema)
  const bare = config.operation === 'DELETE' ? [] : bareTexts(written.object, schema) // a delete reads the name alone
  objections.causes.push(...bare.map(causeOf))
  const object = inWords(written.object, bare)
  const bring = async (object: AuthoredObject, objections: Objections): Promise<Heard> => {
    const warnings: string[] = []
    const bringing = bringingOf({ ...written, object }, config, {
      warn: (warning) => warnings.push(warning),
      objections,
    })
    const thrown = await refused(async () => {
      mustBeServed(written.object, kinds)
      await (of === undefined ? accept(cluster, bringing) : write(cluster, { ...bringing, of }))
    }, config)
    return { thrown, warnings }
  }
  const heard = await bring(object, objections)
  const { thrown, warnings } = isDry({ objections })
    ? await heardOfRest(heard, object, { schema, objections, bring })
    : heard
  const status = of === undefined ? thrown : refusalOf(schema, objections, thrown)
  const about = { written, warnings }
  if (status === undefined) return { ...about, result: of === undefined ? 'foreign' : 'admitted' }
  return { ...about, result: status.code >= 500 ? 'unknown' : 'refused', status }
}

interface Heard {
  readonly thrown: Status | undefined
  readonly warnings: readonly string[]
}
interface Unfit {
  readonly schema: JsonSchema
  readonly objections: Objections
  readonly bring: (object: AuthoredObject, objections: Objections) => Promise<Heard>
}

/** The schema reports the misfits, so rules run on the rest, and the warning that they cannot run is dropped (CV-8). */
async function heardOfRest(heard: Heard, object: AuthoredObject, { schema, objections, bring }: Unfit): Promise<Heard> {
  const { copy, misfits } = filled(object, schema)
  const { thrown, warnings } = misfits.length === 0 ? heard : await bring(copy, structuredClone(objections))
  return {
    thrown: thrown && withoutCausesIn(misfits, thrown),
    warnings: warnings.filter((each) => !each.endsWith('(CV-8)')),
  }
}

function withoutCausesIn(misfits: readonly string[], status: Status): Status {
  const isFilled = ({ field }: Cause) =>
    misfits.some((misfit) => field === misfit || field.startsWith(`${misfit}.`) || field.startsWith(`${misfit}[`))
  const causes = status.details?.causes?.filter((cause) => !isFilled(cause))
  return causes === undefined ? status : { ...status, details: { ...status.details, causes } }
}

function bringingOf(written: AuthoredDocument, config: Config, hearing: Pick<WriteOptions, 'warn' | 'objections'>) {
  const { namespace, operation, user, group: groups } = config
  const options = { user, ...(groups.length > 0 && { groups }), fieldValidation: 'Strict', ...hearing } as const
  return { object: placedIn(namespace, written), operation, options }
}

/** Converts bare values to strings where the schema has strings, so that rules can run. */
function inWords(object: AuthoredObject, bare: readonly BareText[]): AuthoredObject {
  const quotes = bare.map(({ pointer, value }) => ({ op: 'replace', path: pointer, value: String(value) }) as const)
  return fastJsonPatch.applyPatch(object, quotes, false, false, false).newDocument
}

function withMetadata(schema: JsonSchema = {}): JsonSchema {
  return { ...schema, properties: { ...schema.properties, metadata: objectMeta.json } }
}

const causeOf = (bare: BareText): Cause => ({
  field: bare.path,
  reason: 'FieldValueTypeInvalid',
  message: inQuotes(bare),
})

/** The refusal, if any. */
async function refused(write: () => Promise<void>, config: Config): Promise<Status | undefined> {
  try {
    await write()
    return undefined
  } catch (error) {
    if (error instanceof Refused || error instanceof Fault) return statusOf(error, config)
    throw error
  }
}

function statusOf(error: Refused | Fault, { operation }: Config): Status {
  if (error instanceof Refused) return error.status
  const remedy = error.code === 'GONE' && operation === 'UPDATE' ? '; --old or --seed says how it was before' : ''
  return { code: error.status, reason: error.code, message: error.message + remedy }
}

/** An undecided object takes precedence over a refused one: then the whole run is undecided. */
function codeOf(outcomes: readonly ReviewOutcome[]): ExitCode {
  if (outcomes.some(({ result }) => result === 'unknown')) return 3
  return outcomes.some(({ result }) => result === 'refused') ? 1 : 0
}
