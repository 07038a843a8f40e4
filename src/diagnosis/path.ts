import { configurationOf, type Door } from '../admission/door.ts'
import type { Probe } from '../admission/probe.ts'
import type { Inquired } from '../cluster/kube/inquiry.ts'
import { qualified } from '../cluster/paths.ts'
import type { Gvr, Ref } from '../cluster/port.ts'
import { isNamed } from '../cluster/stored.ts'
import { UsageError } from '../config.ts'
import type { Kind } from '../kind.ts'
import type { Status } from '../kube/status.ts'
import { RESOURCES, type RegisteredConfiguration, registeredConfigurations } from '../process/configurations.ts'
import { type PathTrouble, type Service, troubleIn } from './path-trouble.ts'

/** The requests to the API server. A missing answer is thrown. */
export interface Api {
  /** Creates an object in a dry run. */
  tryOut(of: Gvr, namespace: string, object: object): Promise<Taken | Status>
  look(of: Gvr, ref: Ref): Promise<Inquired>
  /** The number of ready endpoints; undefined without the right to read them. */
  ready(service: Service): Promise<number | undefined>
}
export interface Taken {
  readonly object: unknown
  /** All warnings in one. */
  readonly warning: string
}

/** One attempt along the whole path: the steps that work, and the first that does not. */
export interface PathSeen {
  readonly works: readonly string[]
  readonly trouble?: PathTrouble
}

export interface Trial {
  readonly kinds: readonly Kind[]
  readonly namespace: string
  /** The name of the probes. */
  readonly name: string
}

export async function pathThrough(api: Api, { kinds, namespace, name }: Trial): Promise<PathSeen> {
  const { resource, doors, completed, refused } = probeOf(kinds, name)
  const tried = { namespace, resource: qualified(resource), ours: kinds.flatMap(doorsOf) }
  const mutating = await completedBy(api)
  if (mutating !== undefined) return { works: [], trouble: await explained(mutating, api) }
  const works = [`the mutating webhook answers: an object is completed as ${completed.by} says`]
  const validating = await refusedBy(api)
  if (validating !== undefined) return { works, trouble: await explained(validating, api) }
  works.push(`the validating webhook answers: an object is refused as ${refused.by} says`)
  const missing = await missingIn(api, kinds, registeredConfigurations([{ doors }]))
  return missing === undefined ? { works } : { works, trouble: missing }

  async function completedBy({ tryOut, look }: Api): Promise<PathTrouble | undefined> {
    const seen = await tryOut(resource, namespace, completed.object)
    if (!isTaken(seen)) return troubleIn(seen, tried)
    if (isNamed(seen.object) && completed.isDone(seen.object)) return undefined
    return passedBy('mutate', completed.by, look)
  }
  async function passedBy(phase: Door['phase'], rule: string, look: Api['look']): Promise<PathTrouble> {
    const name = configurationOf(doors.find((door) => door.phase === phase) ?? { phase })
    const of = RESOURCES[phase]
    return unanswered(await look(of, { namespace: '', name }), `${of.kind} ${name}`, rule)
  }
  /** Under --enforce warn the same text is a warning. */
  async function refusedBy({ tryOut, look }: Api): Promise<PathTrouble | undefined> {
    const seen = await tryOut(resource, namespace, refused.object)
    const words = isTaken(seen) ? seen.warning : seen.message
    if (words.includes(`(${refused.by})`)) return undefined
    if (!isTaken(seen)) return troubleIn(seen, tried)
    return passedBy('validate', refused.by, look)
  }
}

const doorsOf = ({ doors }: Kind) => doors.map(({ name }) => name)

/** The first kind with a probe represents all, since they share the path. */
function probeOf(kinds: readonly Kind[], name: string): Probe & Pick<Kind, 'resource' | 'doors'> {
  const [found] = kinds.flatMap(({ resource, doors, probe }) => (probe ? [{ resource, doors, ...probe(name) }] : []))
  if (found !== undefined) return found
  throw new UsageError('no kind of these families can be tried: name others with --families')
}

/** What is tried meets only some configurations, and the others may not have been installed. */
async function missingIn(
  { look }: Api,
  kinds: readonly Kind[],
  tried: readonly RegisteredConfiguration[],
): Promise<PathTrouble | undefined> {
  for (const { of, name } of registeredConfigurations(kinds)) {
    if (tried.some((each) => each.name === name)) continue
    const what = `${of.kind} ${name} does not exist`
    if ((await look(of, { namespace: '', name })) === 'absent') return { is: 'broken', what, remedy: INSTALLS }
  }
  return undefined
}

const isTaken = (seen: Taken | Status): seen is Taken => 'object' in seen

const INSTALLS = 'tars-admission manifests --set webhooks | kubectl apply -f - brings it'

/** The write was admitted without the webhook. */
function unanswered(seen: Inquired, name: string, rule: string): PathTrouble {
  if (seen === 'absent') return { is: 'broken', what: `${name} does not exist`, remedy: INSTALLS }
  const what = `the object came through as if ${rule} did not exist: whoever answered was not us`
  if (seen === 'barred')
    return { is: 'broken', what, remedy: `${name} may be missing, or lead elsewhere; you have no right to look` }
  return { is: 'broken', what, remedy: `where does ${name} lead, for which namespaces, and is its failurePolicy Fail?` }
}

/** A Service without a ready endpoint is the most frequent reason for no answer. */
async function explained(trouble: PathTrouble, { ready }: Api): Promise<PathTrouble> {
  const { service } = trouble
  if (service === undefined || (await ready(service)) !== 0) return trouble
  const { namespace, name } = service
  const remedy = `kubectl -n ${namespace} get pods and kubectl logs say why; /readyz?verbose names what is missing`
  return { ...trouble, what: `no endpoint of Service ${namespace}/${name} is ready`, remedy }
}
