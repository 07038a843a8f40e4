import { kinds } from '../../webhooks/index.ts'
import type { Means } from '../admission/mutation.ts'
import { answerer } from '../answer.ts'
import { systemClock } from '../clock.ts'
import type { Admit } from '../cluster/memory/admission.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { type Call, inProcess, registeredWebhooks } from '../cluster/memory/registered-webhooks.ts'
import { type Gvr, Refused, type Stored } from '../cluster/port.ts'
import { isStored } from '../cluster/stored.ts'
import { type Config, flagOf, type Name, OF_RULES, UsageError } from '../config.ts'
import { Fault } from '../faults.ts'
import { carryOutWith } from '../intents.ts'
import type { Kind } from '../kind.ts'
import type { Status } from '../kube/status.ts'
import { bring, take } from './bring.ts'
import { memoryCluster } from './clusters.ts'
import type { Command, ExitCode, World } from './command.ts'
import { contentOf } from './files.ts'
import { identitiesOf, OURSELVES } from './identities.ts'
import { meansOf } from './means.ts'
import { type Manifest, objectsIn, placedIn, storedIn, type Written } from './objects.ts'
import { remoteWebhook } from './remote-webhook.ts'
import { asJson, asText, type Outcome } from './review-report.ts'

/** They have no meaning for what a cluster holds. */
const OF_FILES = ['file', 'operation', 'old', 'seed', 'server', 'ca'] as const satisfies readonly Name[]

export const review: Command = {
  settings: [...OF_FILES, 'fromCluster', 'kubeconfig', 'user', 'group', 'namespace', 'output', ...OF_RULES],
  usual: { namespace: 'default' },
  says: {
    kubeconfig: 'which cluster, and who may read there',
    namespace: 'of objects that name none; of a cluster, the only one to review',
    seed: 'objects that are there already',
  },
  async run(config, world, told) {
    if (config.fromCluster) return reviewStored(config, world, told)
    const { out } = world
    if (config.file.length === 0) throw new UsageError('name what to review: -f FILE|DIR, or --from-cluster')
    const written = await objectsIn(config.file)
    if (written.length === 0) throw new UsageError(`there is no object in ${config.file.join(', ')}`)
    await using means = new AsyncDisposableStack()
    const { passwords } = means.adopt(meansOf(), ({ stop }) => stop())
    const cluster = await embeddedCluster(config, written, { passwords })
    const outcomes: Outcome[] = []
    for (const each of written) outcomes.push(await outcomeOf(each, cluster, config))
    out(config.output === 'json' ? asJson(outcomes) : asText(outcomes))
    return codeOf(outcomes)
  },
}

async function reviewStored(config: Config, world: World, told: ReadonlySet<Name>): Promise<ExitCode> {
  const ofFiles = OF_FILES.find((name) => told.has(name))
  if (ofFiles !== undefined)
    throw new UsageError(`--from-cluster reviews what is stored, so it takes no --${flagOf(ofFiles)}`)
  const { reviewCluster } = await import('./review-cluster.ts')
  return reviewCluster(config, told.has('namespace') ? config.namespace : '', world)
}

/** Holds what is there before the first of the files comes; asks our own code, or the server that is named. */
async function embeddedCluster(config: Config, written: readonly Written[], means: Means): Promise<MemoryCluster> {
  const cluster: MemoryCluster = memoryCluster((phase, sent) => admit(phase, sent))
  const call =
    config.server === undefined ? ownCode(cluster, config, means) : await remoteCode(config.server, config.ca)
  const admit = registeredWebhooks(kinds, call, OURSELVES)
  const doomed = config.operation === 'DELETE' ? await bornOf(written, config, admit) : []
  cluster.seed([...doomed, ...(await storedIn(before(config), config.namespace))])
  return cluster
}

const before = ({ seed, old }: Config) => (old === undefined ? seed : [...seed, old])

/** What is to be deleted has to be there, and as admission would have left it; a seed may know better. */
async function bornOf(written: readonly Written[], { namespace }: Config, admit: Admit): Promise<readonly Stored[]> {
  const cradle = memoryCluster(async (phase, sent) => (phase === 'mutate' ? admit(phase, sent) : undefined))
  const objects = written.map(({ object }) => placedIn(namespace, object)).filter((object) => isStored(object))
  return Promise.all(
    objects.map(async (object) => {
      const of = resourceOf(object)
      return of === undefined ? object : cradle.create(of, object).catch(() => object) // its deletion is what is judged
    }),
  )
}

async function remoteCode(server: string, ca: string | undefined): Promise<Call> {
  return remoteWebhook(server, ca === undefined ? undefined : await contentOf(ca))
}

function ownCode(cluster: MemoryCluster, config: Config, means: Means): Call {
  const { profile, controllers } = config
  const answer = answerer({
    kinds,
    readers: { cached: cluster, live: cluster },
    carryOut: carryOutWith({ merge: (of, ref, patch) => cluster.merge(of, ref, patch, { user: OURSELVES }) }),
    means,
    profile,
    settings: config,
    enforce: 'refuse',
    identities: identitiesOf({ controllers }),
  })
  return inProcess(answer, systemClock)
}

async function outcomeOf(written: Written, cluster: MemoryCluster, config: Config): Promise<Outcome> {
  const warnings: string[] = []
  const of = resourceOf(written.object)
  const about = { written, warnings, known: of !== undefined }
  const bringing = bringingOf(written, config, (warning) => warnings.push(warning))
  try {
    await (of === undefined ? take(cluster, bringing) : bring(cluster, { ...bringing, of }))
    return { ...about, result: 'admitted' }
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Fault)) throw error
    const status = statusOf(error, config)
    return { ...about, result: status.code >= 500 ? 'unknown' : 'refused', status }
  }
}

function bringingOf({ object }: Written, config: Config, warn: (warning: string) => void) {
  const { namespace, operation, user, group: groups } = config
  const options = { user, ...(groups.length > 0 && { groups }), fieldValidation: 'Strict', warn } as const
  return { object: placedIn(namespace, object), operation, options }
}

function resourceOf({ apiVersion, kind }: Manifest): Gvr | undefined {
  const isOf = ({ resource: { group, version, kind: name } }: Kind) =>
    [group, version].filter(Boolean).join('/') === apiVersion && name === kind
  return kinds.find(isOf)?.resource
}

function statusOf(error: Refused | Fault, { operation }: Config): Status {
  if (error instanceof Refused) return error.status
  const remedy = error.code === 'GONE' && operation === 'UPDATE' ? '; --old or --seed says how it was before' : ''
  return { code: error.status, reason: error.code, message: error.message + remedy }
}

/** What could not be said weighs more than what was refused: the run as a whole has no answer. */
function codeOf(outcomes: readonly Outcome[]): ExitCode {
  if (outcomes.some(({ result }) => result === 'unknown')) return 3
  return outcomes.some(({ result }) => result === 'refused') ? 1 : 0
}
