import { type Answerer, type AnswererParts, answerer } from '../admission/answer.ts'
import type { Edit } from '../admission/patch.ts'
import type { Verdict } from '../admission/verdict.ts'
import type { Listing } from '../cluster/kube/cache/listing.ts'
import type { Admit } from '../cluster/memory/admission.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { inProcess, registeredWebhooks } from '../cluster/memory/registered-webhooks.ts'
import { type Built, type ClusterReader, type Gvr, Refused } from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import { definedKinds, type Kind } from '../kind.ts'
import { isTerminating } from '../kube/metadata.ts'
import { OURSELVES } from '../process/identities.ts'
import { memoryCluster } from '../process/memory-cluster.ts'
import { isTree, type JsonSchema, type Tree } from '../schema.ts'
import type { Clock } from '../timing/clock.ts'
import { byRules, bySchema, type Objection, SCHEMA } from './objections.ts'

/** The answer of admission for one stored object. */
export interface Assessment {
  readonly of: Gvr
  readonly object: Built
  readonly asNew: readonly Objection[]
  /** Objections to an edit that changes nothing, which ratcheting does not excuse. */
  readonly unchanged: readonly Objection[]
  /** The paths that its next write would set or remove; never values. */
  readonly completed: readonly string[]
  readonly warnings: readonly string[]
  /** Why there is no answer. */
  readonly unknown?: string
}

export interface Survey {
  readonly kinds: readonly Kind[]
  readonly listing: Listing
  /** Reads resources that were not listed. */
  readonly live: ClusterReader
  readonly parts: Pick<AnswererParts, 'remotes' | 'profile' | 'settings' | 'identities'>
  readonly asker: { readonly user: string; readonly groups?: readonly string[] }
  readonly clock: Pick<Clock, 'now' | 'tick'>
}

/** The number of objects that share one embedded cluster, so that schemas are compiled once and copies are freed. */
const AT_ONCE = 500

/** Reviews one object after the other and skips terminating ones. */
export async function* assessments(survey: Survey): AsyncGenerator<Assessment> {
  for (const kind of definedKinds(survey.kinds)) {
    const objects = survey.listing.of(kind.resource).filter((object) => !isTerminating(object))
    for (let from = 0; from < objects.length; from += AT_ONCE) {
      const review = new StoredReview(kind, survey)
      for (const object of objects.slice(from, from + AT_ONCE)) yield await review.assess(object)
    }
  }
}

/**
 * Reviews the objects of one kind on an embedded cluster to which nothing is written. It reports at once what an author
 * would read one by one: mutations only warn, and the rules report what the definition carries in CEL.
 */
class StoredReview {
  readonly #kind: Kind
  /** All kinds of its resource, since the API server calls each of them. */
  readonly #peers: readonly Kind[]
  readonly #survey: Survey
  readonly #cluster: MemoryCluster
  #admit: Admit = async () => []

  constructor(kind: Kind, survey: Survey) {
    this.#kind = kind
    this.#peers = survey.kinds.filter(({ resource }) => isSameKind(kind.resource, resource))
    this.#survey = survey
    const silent = { ...kind, identity: () => [] }
    this.#cluster = memoryCluster([silent], (phase, review) => this.#admit(phase, review))
  }

  async assess(stored: Built): Promise<Assessment> {
    const { group, version, kind } = this.#kind.resource
    const object = { ...stored, apiVersion: `${group}/${version}`, kind }
    const asNew = await this.#asNew(object)
    const unchanged = await this.#unchanged(object)
    const unknown = asNew.unknown ?? unchanged.unknown
    return {
      of: this.#kind.resource,
      object,
      asNew: asNew.objections,
      unchanged: unchanged.objections,
      completed: pathsIn(unchanged.edits),
      warnings: [...new Set([...asNew.warnings, ...unchanged.warnings])],
      ...(unknown !== undefined && { unknown }),
    }
  }

  /**
   * As if it were not there yet. It is refused for what speaks against it in the cluster of today and in that of its
   * birth as well: a reference may have come after it, and what came of it, or after it, is no reason against it.
   */
  async #asNew(object: Built): Promise<StoredAnswer> {
    const { resource } = this.#kind
    const today = await this.#created(object, (of, other) => !isSame({ of, object: other }, { of: resource, object }))
    if (!today.objections.some(({ rule }) => rule !== SCHEMA)) return today
    const atBirth = await this.#created(object, (of, other) => isOlder({ of, object: other }, { of: resource, object }))
    if (atBirth.unknown !== undefined) return today
    const stands = ({ rule, path }: Objection) =>
      atBirth.objections.some((other) => other.rule === rule && other.path === path)
    return { ...today, objections: today.objections.filter(stands) }
  }

  #created(object: Built, isThere: (of: Gvr, object: Built) => boolean): Promise<StoredAnswer> {
    const { definition, resource } = this.#kind
    const made = unmade(object, definition?.subresources?.status === true)
    return this.#answerOf(isThere, (options) => this.#cluster.create(resource, made, options))
  }

  #unchanged(object: Built): Promise<StoredAnswer> {
    this.#cluster.seed([object])
    return this.#answerOf(
      () => true,
      (options) => this.#cluster.replace(this.#kind.resource, object, options),
    )
  }

  async #answerOf(isThere: (of: Gvr, object: Built) => boolean, write: DryWrite): Promise<StoredAnswer> {
    const { listing, live, parts, clock, asker } = this.#survey
    const reader = listing.reader(isThere, live)
    const verdicts: Verdict[] = []
    const readers = { cached: reader, live: reader }
    const answer = answerer({ ...parts, kinds: this.#peers, readers, carryOut: nothing, enforce: 'warn' })
    const noting: Answerer = async (review, arrival) => {
      const given = await answer(review, arrival)
      verdicts.push(given.verdict)
      return given
    }
    this.#admit = registeredWebhooks(this.#peers, inProcess(noting, clock), OURSELVES)
    const thrown = await write({ ...asker, dryRun: true, fieldValidation: 'Ignore' }).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    return answerIn(this.#kind.resource.schema, verdicts, thrown)
  }
}

type DryWrite = (options: {
  readonly user: string
  readonly groups?: readonly string[]
  readonly dryRun: true
  readonly fieldValidation: 'Ignore'
}) => Promise<unknown>

/** A dry run has no intents, so nothing is carried out. */
const nothing = () => Promise.reject(new Fault('USAGE', 'a review of what is stored writes nothing'))

interface StoredAnswer {
  readonly objections: readonly Objection[]
  readonly edits: readonly Edit[]
  readonly warnings: readonly string[]
  readonly unknown?: string
}

function answerIn(schema: JsonSchema, verdicts: readonly Verdict[], thrown: unknown): StoredAnswer {
  const violations = verdicts.flatMap((verdict) => verdict.violations)
  const unanswered = verdicts.find((verdict) => verdict.unanswered !== undefined)?.unanswered
  const isDenied = unanswered !== undefined || violations.some(({ rule }) => rule.evenInWarn)
  const objections = [
    ...byRules(violations),
    ...(thrown instanceof Refused && !isDenied ? bySchema(schema, thrown) : []),
  ]
  const answer = {
    objections,
    edits: verdicts.flatMap(({ patch }) => patch),
    warnings: verdicts.flatMap(({ warnings }) => warnings),
  }
  if (objections.length > 0) return answer
  if (unanswered !== undefined) return { ...answer, unknown: unanswered.message }
  if (thrown === undefined) return answer
  return { ...answer, unknown: thrown instanceof Error ? thrown.message : 'it cannot be reviewed' }
}

/** Removes the fields that the API server itself wrote. */
function unmade({ metadata, ...object }: Built, hasStatus: boolean): Tree {
  const { resourceVersion: _, ...rest } = metadata
  return { ...object, ...(hasStatus && { status: undefined }), metadata: { ...rest, generation: undefined } }
}

interface PlacedObject {
  readonly of: Gvr
  readonly object: Built
}

function isSame(one: PlacedObject, other: PlacedObject): boolean {
  const { name, namespace } = one.object.metadata
  const { metadata } = other.object
  return isSameKind(one.of, other.of) && name === metadata.name && namespace === metadata.namespace
}

const isSameKind = (one: Gvr, other: Gvr) => one.group === other.group && one.kind === other.kind

/** Times of birth are kept to the second: of two of a kind the name decides, and of two kinds nothing does. */
function isOlder(one: PlacedObject, other: PlacedObject): boolean {
  const [first, second] = [createdAt(one.object), createdAt(other.object)]
  if (first !== second) return first < second
  return isSameKind(one.of, other.of) && one.object.metadata.name < other.object.metadata.name
}

function createdAt({ metadata }: Tree): string {
  return isTree(metadata) && typeof metadata.creationTimestamp === 'string' ? metadata.creationTimestamp : ''
}

/** The paths in the form of findings, without list indexes: `metadata.labels[tars.io/Parent]`. */
function pathsIn(edits: readonly Edit[]): readonly string[] {
  return [...new Set(edits.flatMap((edit) => fieldsOf(edit)))].sort()
}

const MAPS = ['metadata.labels', 'metadata.annotations']

function fieldsOf(edit: Edit): readonly string[] {
  const steps = edit.path.slice(1).split('/')
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const place = names.slice(0, 2).join('.')
  if (!MAPS.includes(place)) return [pathAfter(edit, names.filter((name) => !/^\d+$/.test(name)).join('.'))]
  if (names.length > 2) return [pathAfter(edit, `${place}[${names.slice(2).join('/')}]`)]
  const keys = edit.op === 'add' && isTree(edit.value) ? Object.keys(edit.value) : []
  return keys.map((key) => `${place}[${key}]`)
}

const pathAfter = ({ op }: Edit, path: string) => (op === 'remove' ? `without ${path}` : path)
