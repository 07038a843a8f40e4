import { readFile } from 'node:fs/promises'
import { kinds } from '../../webhooks/index.ts'
import { answerer } from '../answer.ts'
import type { MemoryCluster } from '../cluster/memory.ts'
import { type Gvr, Refused } from '../cluster/port.ts'
import { type Call, inProcess, registeredWebhooks } from '../cluster/registered-webhooks.ts'
import { type Config, UsageError } from '../config.ts'
import { Fault } from '../faults.ts'
import type { Status } from '../kube/status.ts'
import { memoryCluster, seedsIn } from './clusters.ts'
import type { Command, ExitCode } from './command.ts'
import { identitiesOf } from './identities.ts'
import { objectsIn, type Written } from './objects.ts'
import { remoteWebhook } from './remote-webhook.ts'
import { asJson, asText, type Outcome } from './review-report.ts'

export const review: Command = {
  doc: 'says what admission would say of files, in order, as kubectl apply would bring them',
  settings: [
    ...(['file', 'old', 'operation', 'user', 'group', 'seed', 'server', 'ca', 'namespace', 'profile'] as const),
    ...(['controllers', 'output'] as const),
  ],
  usual: { namespace: 'default' },
  async run(config, { out }) {
    if (config.file.length === 0) throw new UsageError('name what to review: -f FILE|DIR')
    const written = await objectsIn(config.file)
    const cluster = await embeddedCluster(config)
    const outcomes: Outcome[] = []
    for (const each of written) outcomes.push(await outcomeOf(each, cluster, config))
    out(config.output === 'json' ? asJson(outcomes) : asText(outcomes))
    return codeOf(outcomes)
  },
}

/** Holds the seeds and what `--old` says was there before; asks our own code, or the server that is named. */
async function embeddedCluster(config: Config): Promise<MemoryCluster> {
  const { seed, old, namespace } = config
  const ca = config.ca === undefined ? undefined : await readFile(config.ca, 'utf8').catch(unreadable(config.ca))
  const cluster: MemoryCluster = memoryCluster((phase, sent) => admit(phase, sent))
  const call = config.server === undefined ? ownCode(cluster, config) : remoteWebhook(config.server, ca)
  const admit = registeredWebhooks(kinds, call)
  cluster.seed(await seedsIn(old === undefined ? seed : [...seed, old], namespace))
  return cluster
}

function unreadable(file: string) {
  return (cause: unknown): never => {
    throw new Fault('FILE_UNREADABLE', `${file} cannot be read`, { cause })
  }
}

function ownCode(cluster: MemoryCluster, { profile, controllers }: Config): Call {
  const readers = { cached: cluster, live: cluster }
  const answer = answerer({ kinds, readers, profile, enforce: 'refuse', identities: identitiesOf({ controllers }) })
  return inProcess(answer, { now: () => new Date(), tick: () => performance.now() })
}

async function outcomeOf(written: Written, cluster: MemoryCluster, config: Config): Promise<Outcome> {
  const warnings: string[] = []
  const about = { written, warnings, known: kindOf(written) !== undefined }
  try {
    await bring(written, cluster, config, (warning) => warnings.push(warning))
    return { ...about, result: 'admitted' }
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Fault)) throw error
    const status = statusOf(error)
    return { ...about, result: status.code >= 500 ? 'unknown' : 'refused', status }
  }
}

function statusOf(error: Refused | Fault): Status {
  if (error instanceof Refused) return error.status
  return { code: error.retry ? 503 : error.status, reason: error.code, message: error.message }
}

function bring({ object }: Written, cluster: MemoryCluster, config: Config, warn: (warning: string) => void) {
  const { operation, user, group: groups, namespace } = config
  const of = kindOf({ object }) ?? foreign(object)
  const placed = { ...object, metadata: { namespace, ...object.metadata } }
  const options = { user, ...(groups.length > 0 && { groups }), fieldValidation: 'Strict', warn } as const
  const ref = { namespace: placed.metadata.namespace ?? '', name: object.metadata.name }
  switch (operation) {
    case 'apply':
      return object.metadata.name === undefined
        ? cluster.create(of, placed, options)
        : cluster.apply(of, placed, options)
    case 'CREATE':
      return cluster.create(of, placed, options)
    case 'UPDATE':
      return cluster.replace(of, placed, options)
    case 'DELETE':
      return cluster.remove(of, ref, options)
  }
}

function kindOf({ object }: Pick<Written, 'object'>): Gvr | undefined {
  return kinds.find(({ resource: { group, version, kind } }) => `${group}/${version} ${kind}` === nameOf(object))
    ?.resource
}
const nameOf = ({ apiVersion, kind }: Written['object']) => `${apiVersion} ${kind}`

/** A kind that nobody here has rules for; it may still be what others refer to. */
function foreign({ apiVersion, kind }: Written['object']): Gvr {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, scope: 'Namespaced' }
}

/** What could not be said weighs more than what was refused: the run as a whole has no answer. */
function codeOf(outcomes: readonly Outcome[]): ExitCode {
  if (outcomes.some(({ result }) => result === 'unknown')) return 3
  return outcomes.some(({ result }) => result === 'refused') ? 1 : 0
}
