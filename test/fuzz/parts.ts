import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import jsonPatch from 'fast-json-patch'
import { type Edit, Patch, pointerTo } from '../../src/admission/patch.ts'
import { pageIn } from '../../src/cluster/kube/watch/page.ts'
import { statusIn, unread, unwritten } from '../../src/cluster/kube/wire/failed-call.ts'
import { linesOf } from '../../src/cluster/kube/wire/lines.ts'
import { mergePatched, mergePatchFor } from '../../src/cluster/memory/merge-patch.ts'
import { NOTHING, structuralCheck } from '../../src/cluster/memory/structural-check.ts'
import { type Built, Refused } from '../../src/cluster/port.ts'
import { isStored } from '../../src/cluster/stored.ts'
import { Fault } from '../../src/faults.ts'
import { isTree, type JsonSchema, type Tree } from '../../src/schema.ts'
import { draftOf, validator } from '../../src/schema-check.ts'
import { DEFINED } from '../support/builders/gadgets.ts'
import { clusterOf } from '../support/clusters.ts'
import { anyJson, sentOf, storedOf } from '../support/generated.ts'
import { kinds } from '../support/kinds.ts'
import { stores } from './stores.ts'
import { must, type Target, target } from './target.ts'

/** Parts of the machine, against an oracle or a model of each. */
const KEYS = ['a', 'b', 'a/b', 'c~d', '~1', '', '__proto__', 'constructor', 'metadata', 'labels', 'annotations']
const key = fc.constantFrom(...KEYS)
const leaf = fc.oneof(fc.constantFrom(null, 0, -0, 1, '', 'x', true, [], [1]), anyJson)
const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree; value: unknown }>((tie) => ({
  tree: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  value: fc.oneof({ maxDepth: 3 }, leaf, tie('tree')),
})).tree
const metadata = fc.record({ labels: tree, annotations: fc.option(tree) }, { requiredKeys: [] })
const document: fc.Arbitrary<Tree> = fc
  .tuple(tree, fc.option(metadata))
  .map(([all, meta]) => ({ ...all, ...(meta && { metadata: meta }) }))
const path = fc.oneof(
  fc.array(key, { minLength: 1, maxLength: 4 }).map((steps) => pointerTo(...steps)),
  fc.tuple(fc.constantFrom('labels', 'annotations'), key).map(([map, name]) => pointerTo('metadata', map, name)),
)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ op: fc.constant('add' as const), path, value: fc.oneof(leaf, tree, fc.constant(undefined)) }),
  fc.record({ op: fc.constant('remove' as const), path }),
)
/** As text carries it; fast-json-patch tells 0 from −0, JSON does not. */
const asText = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const patches = target({
  name: 'the operations of a patch, applied by somebody else, give the object that was edited (SV-8)',
  share: 2,
  cases: fc.tuple(document, fc.array(edit, { maxLength: 8 })),
  holds([sent, edits]) {
    const [object, original] = [asText(sent), asText(sent)]
    const patch = new Patch(object)
    for (const each of edits) patch.carryOut(each)
    const operations = asText(patch.operations)
    const isRefused = operations.some(({ path }) => /\/(__proto__|constructor)(\/|$)/.test(path)) // by fast-json-patch
    if (isRefused) return
    must(isDeepStrictEqual(jsonPatch.applyPatch(original, operations).newDocument, asText(object)), 'another object')
    must(Reflect.get({}, 'a') === undefined, 'a prototype was written to')
  },
})

const schemas = [...kinds, DEFINED].map(({ resource }) => resource.schema)
const fits = new Map<JsonSchema, { whole: (value: unknown) => boolean; draft: (value: unknown) => boolean }>(
  schemas.map((schema) => [schema, { whole: validator(schema), draft: validator(draftOf(schema)) }]),
)
const checks = new Map(schemas.map((schema) => [schema, structuralCheck(schema)]))
const ofKinds = <T>(casesOf: (kind: (typeof kinds)[number]) => fc.Arbitrary<T>) =>
  fc.oneof(
    ...[...kinds, DEFINED].map((kind) => casesOf(kind).map((given) => ({ schema: kind.resource.schema, kind, given }))),
  )

const drafts = target({
  name: 'what fits a schema fits its draft, and so does all that is left of it (W-4)',
  share: 2,
  cases: fc.tuple(ofKinds(sentOf), fc.array(fc.nat(9), { maxLength: 4 })),
  holds([{ schema, given }, where]) {
    const { whole, draft } = fits.get(schema) ?? {}
    if (!whole?.(given)) return
    must(draft?.(given) === true, 'no draft')
    must(draft?.(without(asText(given), where)) === true, 'no draft once something is missing')
  },
})

/** Only fields go: an item that goes from a list is missed by nobody. */
function without(value: unknown, [step = 0, ...where]: readonly number[]): unknown {
  if (!isTree(value)) return value
  const keys = Object.keys(value)
  const name = keys[step % keys.length]
  if (name === undefined) return value
  if (where.length === 0) delete value[name]
  else without(value[name], where)
  return value
}

const structure = target({
  name: 'the cluster in memory finds fault with what does not fit a schema, and with nothing else',
  share: 2,
  cases: ofKinds(sentOf),
  holds({ schema, given }) {
    const { causes: plain, worded } = checks.get(schema)?.(given) ?? NOTHING
    const causes = [...plain, ...worded]
    const isWhole = fits.get(schema)?.whole(given) || fits.get(schema)?.whole(withTexts(given, schema))
    must((causes.length === 0) === isWhole, `${causes.length} causes`)
    for (const { field, message, reason } of causes)
      must(typeof field === 'string' && message !== '' && reason !== '', 'a cause that says nothing')
  },
})

/** A list will do where a text of some format is due: so the API server has it. */
function withTexts(value: unknown, schema: JsonSchema | undefined): unknown {
  if (Array.isArray(value))
    return schema?.format === undefined ? value.map((item) => withTexts(item, schema?.items)) : 'a-word-of-its-own'
  if (!isTree(value)) return value
  const { properties = {}, additionalProperties } = schema ?? {}
  const fieldOf = (key: string) => (Object.hasOwn(properties, key) ? properties[key] : additionalProperties)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withTexts(child, fieldOf(key))]))
}

const cluster = target({
  name: 'the cluster in memory stores any object, or refuses it in the words of an API server',
  share: 0.2, // a cluster of its own for each case, whose schemas are compiled
  cases: ofKinds((kind) => fc.tuple(sentOf(kind), sentOf(kind), fc.boolean())),
  async holds({ kind, given: [first, second, applied] }) {
    const { group, version, kind: name } = kind.resource
    const memory = clusterOf()
    const head = { apiVersion: [group, version].filter(Boolean).join('/'), kind: name }
    for (const object of [first, second]) {
      if (!isTree(object)) continue
      const stored = await storing(() =>
        applied
          ? memory.applyOnClient(kind.resource, asText({ ...object, ...head }))
          : memory.create(kind.resource, asText({ ...object, ...head })),
      )
      must(stored === undefined || isStored(stored), 'what was stored is no object')
    }
  },
})

async function storing(store: () => Promise<Built>): Promise<Built | undefined> {
  try {
    return await store()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    must(error.status.code >= 400 && error.status.message !== '', 'a refusal that says nothing')
    return undefined
  }
}

const noNulls = tree.map((each) => JSON.parse(JSON.stringify(each, (_, value) => value ?? undefined)))
const merges = target({
  name: 'the merge patch from one object to another leads there (RFC 7396)',
  share: 1,
  cases: fc.tuple(noNulls, noNulls).map(([from, to]) => [withoutNulls(from), withoutNulls(to)] as const),
  holds([from, to]) {
    must(isDeepStrictEqual(mergePatched(from, mergePatchFor(from, to)), to), 'another object')
  },
})

/** A merge patch takes null for gone. */
function withoutNulls(value: unknown): Tree {
  const entries = Object.entries(isTree(value) ? value : {}).filter(
    ([, inner]) => inner !== null && inner !== undefined,
  )
  return Object.fromEntries(entries.map(([name, inner]) => [name, isTree(inner) ? withoutNulls(inner) : inner]))
}

const lines = target({
  name: 'the lines of a stream are the same wherever its chunks were cut (CL-2)',
  share: 2,
  cases: fc.array(fc.oneof(fc.string(), fc.constantFrom('\n', '\r\n', '', '\n\n', 'ö', '{}')), { maxLength: 12 }),
  async holds(chunks) {
    const found = await Array.fromAsync(linesOf(ReadableStream.from(chunks)))
    must(isDeepStrictEqual(found, chunks.join('').split('\n').slice(0, -1)), JSON.stringify(found))
  },
})

const replies = target({
  name: 'whatever an API server, or what stands before it, says is a page, a status or a fault (CL-4)',
  share: 1,
  cases: fc.record({
    status: fc.constantFrom(200, 301, 400, 404, 409, 410, 422, 429, 500, 503),
    body: fc.oneof(anyJson, listed(), fc.string()),
  }),
  holds(answer) {
    const { code, message, reason } = statusIn(answer)
    must(code === answer.status && message !== '' && typeof reason === 'string', 'a status that says nothing')
    for (const error of [unread('list x', answer), unwritten('patch x', answer)])
      must(error.message !== '' && (error instanceof Fault || error instanceof Refused), 'no fault')
    try {
      const { items, version, next } = pageIn('list x', answer.body)
      must(items.every(isStored) && version !== '' && typeof next === 'string', 'a page that is none')
    } catch (error) {
      must(error instanceof Fault, String(error))
    }
  },
})

function listed(): fc.Arbitrary<unknown> {
  const or = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: anyJson })
  const item = ofKinds(storedOf).map(({ given }) => given)
  const causes = fc.array(or(fc.record({ field: anyJson, reason: anyJson, message: anyJson })))
  return fc.record({
    items: or(fc.array(or(item), { maxLength: 3 })),
    metadata: or(fc.record({ resourceVersion: or(fc.constant('7')), continue: or(fc.constant('')) })),
    details: or(fc.record({ causes, retryAfterSeconds: anyJson })),
    reason: anyJson,
    message: anyJson,
  })
}

export const partTargets: readonly Target[] = [
  ...[patches, drafts, structure, cluster, merges],
  ...[stores, lines, replies],
]
