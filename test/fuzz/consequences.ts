import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Due } from '../../src/admission/consequence.ts'
import { mergePatched } from '../../src/cluster/memory/merge-patch.ts'
import type { Built, ClusterReader, ClusterWriter, Readers } from '../../src/cluster/port.ts'
import { isStored } from '../../src/cluster/stored.ts'
import { Fault } from '../../src/faults.ts'
import { carryOutWith } from '../../src/reconcile/apply.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { ANNOTATIONS, LABELS } from '../../webhooks/tars/names.ts'
import { TCONFIG } from '../../webhooks/tars/tconfig/schema.ts'
import { answered, CTRL, DEPUTIES, NAMESPACE_CONTROLLER, VALIDATING } from '../support/answerer-parts.ts'
import { aTConfig } from '../support/builders/configs.ts'
import { readerOf } from '../support/fakes/readers.ts'
import { reviewsOf } from '../support/reviews.ts'
import { must, type Target, target } from './target.ts'

/** What a change of a TConfig writes into others, on a cluster that somebody else may write to meanwhile. */
const MARKS: readonly string[] = [LABELS.deactivate, LABELS.deactivating, LABELS.deleting]
const NOTES: readonly string[] = [ANNOTATIONS.markedAt, ANNOTATIONS.markedBy, ANNOTATIONS.markedByUid]
/** As of `Demo.Echo/a.conf`, whatever it is of. */
const OF_ANOTHER = {
  'tars.io/ServerApp': 'Demo',
  'tars.io/ServerName': 'Echo',
  'tars.io/ConfigName': 'a.conf',
  'tars.io/PodSeq': 'm',
}
const LABELLED = {
  app: LABELS.app,
  server: LABELS.server,
  configName: LABELS.configName,
  podSeq: LABELS.podSeq,
} as const
const TOLD_OF = Object.keys(LABELLED)

const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

/** Most are versions of one file; some have labels that their fields do not confirm. */
const config = fc
  .record({
    name: fc.constantFrom('v1', 'v2', 'v3', 'v4'),
    namespace: mostly('demo', 'other'),
    app: mostly('Demo', 'Shop'),
    server: mostly('Echo', '', 'Ech'),
    configName: mostly('a.conf', 'b.conf'),
    podSeq: mostly('m', '1'),
    activated: fc.boolean(),
    going: mostly(false, true),
    labels: fc.oneof(
      { weight: 7, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...MARKS), fc.constantFrom('', 'x'), { maxKeys: 1 }) },
      { weight: 1, arbitrary: fc.constant(OF_ANOTHER) },
    ),
  })
  .map((wishes) => aTConfig(wishes))

const story = fc.record({
  there: fc.uniqueArray(config, { minLength: 2, maxLength: 6, selector: keyOf }),
  changed: config,
  operation: fc.constantFrom('CREATE', 'UPDATE', 'UPDATE', 'DELETE'),
  user: fc.constantFrom('ann', 'ann', CTRL, NAMESPACE_CONTROLLER, ...DEPUTIES),
  /** What somebody else makes of these before the first mark is written. */
  meanwhile: fc.array(config, { maxLength: 2 }),
  recreated: fc.boolean(),
})
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never

const HOME = 'demo'

/** An API server as far as marks need one: a version that is not the stored one is a conflict. */
class World {
  readonly #objects: Map<string, Built>
  #version = 100

  constructor(objects: readonly Built[]) {
    this.#objects = new Map(objects.map((object) => [keyOf(object), object]))
  }

  get all(): readonly Built[] {
    return [...this.#objects.values()]
  }

  readonly reader: ClusterReader = {
    get: (of, ref) => readerOf(...this.all).get(of, ref),
    list: (of, where) => readerOf(...this.all).list(of, where),
    dryRun: (of, object, by) => readerOf().dryRun(of, object, by),
  }

  readonly writer: Pick<ClusterWriter, 'merge'> = {
    merge: async (_, { namespace, name }, patch) => {
      const there = this.#objects.get(`${namespace}/${name}`)
      if (there === undefined) throw new Fault('GONE', 'gone')
      const { uid, resourceVersion, ...metadata } = treeIn(patch.metadata)
      if (uid !== there.metadata.uid || resourceVersion !== there.metadata.resourceVersion)
        throw new Fault('CONFLICT', 'another one')
      return this.put(mergePatched(there, { ...patch, metadata }))
    },
  }

  put(object: unknown, identity: Tree = {}): Built {
    this.#version += 1
    const stored = {
      ...treeIn(object),
      metadata: { ...treeIn(treeIn(object).metadata), resourceVersion: String(this.#version), ...identity },
    }
    must(isStored(stored), 'what was stored is no object')
    this.#objects.set(keyOf(stored), stored)
    return stored
  }
}

function keyOf({ metadata: { namespace = '', name } }: Built): string {
  return `${namespace}/${name}`
}
const treeIn = (value: unknown): Tree => (isTree(value) ? value : {})

function bodyOf({ changed, operation, there, user }: Story, dryRun = false): Tree {
  const home = { ...changed, metadata: { ...changed.metadata, namespace: HOME } }
  const before = there.find((each) => keyOf(each) === keyOf(home)) ?? home
  const { creationOf, updateOf, deletionOf } = reviewsOf(TCONFIG)
  const sent = { user, dryRun }
  if (operation === 'CREATE') return creationOf(home, sent)
  return operation === 'DELETE' ? deletionOf(before, sent) : updateOf(before, { ...home, ...fixedIn(before) }, sent)
}

/** What no update changes, so that more of them are let in. */
const fixedIn = (before: Built) =>
  Object.fromEntries([...TOLD_OF, 'version', 'configContent'].map((field) => [field, before[field]]))

async function intentsOf(body: Tree, readers: Readers): Promise<readonly Due[]> {
  const { verdict, response } = await answered(VALIDATING, body, { readers })
  must(response.allowed || verdict.intents.length === 0, 'what is refused has consequences')
  return verdict.intents
}

/** As consumers find it, by its labels; before one is marked its fields must agree. */
function isOfFile({ metadata, ...fields }: Built, subject: Tree): boolean {
  const isSame = (field: string, other: unknown) => (other || '') === (subject[field] || '')
  const labelled = Object.entries(LABELLED).every(([field, label]) => isSame(field, metadata.labels?.[label]))
  return labelled && TOLD_OF.every((field) => isSame(field, fields[field]))
}

const readersIn = ({ reader }: World): Readers => ({ cached: reader, live: reader })
const inNoHurry = ({ reader }: World) => ({ live: reader, deadline: { left: () => 7_200 } })

const dry = target({
  name: 'nothing is marked in a dry run, nor by what is refused (W-9)',
  share: 1,
  ofReviews: true,
  cases: story,
  async holds(given) {
    const written: Due[] = []
    const readers = readersIn(new World(given.there))
    const carryOut = async (intents: readonly Due[]) => void written.push(...intents)
    const { verdict, response } = await answered(VALIDATING, bodyOf(given, true), { readers, carryOut })
    must(verdict.intents.length === 0 && written.length === 0, 'marks in a dry run')
    const wet = await answered(VALIDATING, bodyOf(given), { readers, carryOut })
    must(wet.response.allowed || written.length === 0, 'marks by what is refused')
    must(isDeepStrictEqual(wet.response.warnings, response.warnings), 'a dry run warns of something else')
  },
})

const marked = target({
  name: 'a change of a TConfig marks versions of the same file alone, and nothing of them but marks and their notes (TC-S1, TC-S2)',
  share: 1,
  ofReviews: true,
  cases: story,
  async holds(given) {
    const world = new World(given.there)
    const body = bodyOf(given)
    const subject = treeIn(treeIn(body.request).object ?? treeIn(body.request).oldObject)
    for (const { action } of await intentsOf(body, readersIn(world))) {
      const { of, ref, patch, expects } = action
      const named = world.all.find((each) => keyOf(each) === `${ref.namespace}/${ref.name}`)
      must(of === TCONFIG && named !== undefined && ref.namespace === HOME, `a mark on ${ref.namespace}/${ref.name}`)
      must(ref.name !== treeIn(subject.metadata).name, 'a mark on the object of the request')
      must(isOfFile(named, subject), `a mark on ${JSON.stringify(named)}`)
      const { labels, annotations, ...rest } = treeIn(patch.metadata)
      const { uid, resourceVersion } = expects
      must(Object.keys(patch).length === 1 && Object.keys(rest).length === 0, 'more than marks')
      must(uid === named.metadata.uid && resourceVersion === named.metadata.resourceVersion, 'of any version')
      must(
        Object.keys(treeIn(labels)).every((key) => MARKS.includes(key)),
        'another label',
      )
      must(
        Object.keys(treeIn(annotations)).every((key) => NOTES.includes(key)),
        'another annotation',
      )
      must(!JSON.stringify(patch).includes('null'), 'something is taken away')
    }
  },
})

const settled = target({
  name: 'marks that are carried out twice, or asked for again, change nothing the second time (TC-S3)',
  share: 1,
  ofReviews: true,
  cases: story,
  async holds(given) {
    const world = new World(given.there)
    const body = bodyOf(given)
    const carryOut = carryOutWith(world.writer)
    const intents = await intentsOf(body, readersIn(world))
    for (const object of given.meanwhile) {
      const uid = given.recreated ? 'another' : object.metadata.uid
      if (world.all.some((each) => keyOf(each) === keyOf(object))) world.put(object, { uid })
    }
    const before = world.all
    await carryOut(intents, inNoHurry(world))
    const once = world.all
    mustDifferByMarks(before, once, given.recreated && given.meanwhile.length > 0)
    await carryOut(intents, inNoHurry(world))
    must(isDeepStrictEqual(world.all, once), 'marked twice')
    if (given.meanwhile.length > 0) return
    must((await intentsOf(body, readersIn(world))).length === 0, 'asked for again')
  },
})

function mustDifferByMarks(before: readonly Built[], after: readonly Built[], recreated: boolean): void {
  for (const [at, object] of before.entries()) {
    const now = after[at]
    if (isDeepStrictEqual(now, object)) continue
    must(object.metadata.uid !== 'another' || !recreated, 'a mark on another object of the name')
    must(isDeepStrictEqual(unmarked(now), unmarked(object)), 'another change')
  }
}

function unmarked(object: Built | undefined): unknown {
  const { resourceVersion: _, labels, annotations, ...metadata } = object?.metadata ?? { name: '' }
  const left = (words: unknown, keys: readonly string[]) =>
    Object.entries(treeIn(words)).filter(([key]) => !keys.includes(key))
  return { ...object, metadata: { ...metadata, labels: left(labels, MARKS), annotations: left(annotations, NOTES) } }
}

export const consequenceTargets: readonly Target[] = [dry, marked, settled]
