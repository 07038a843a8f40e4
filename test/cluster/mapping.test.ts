import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import { settingsOf } from '../../src/setting.ts'
import { TENDPOINT } from '../../webhooks/tars/tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../webhooks/tars/texitedrecord/schema.ts'
import { TFRAMEWORKCONFIG } from '../../webhooks/tars/tframeworkconfig/schema.ts'
import { objectsFor } from '../../webhooks/tars/tserver/objects/objects.ts'
import { TSERVER } from '../../webhooks/tars/tserver/schema.ts'
import { asServer, givenIn, goldens, storedIn } from '../support/mapped.ts'
import { theCluster } from './cluster.ts'
import { expectDone } from './product.ts'

/** The given objects name it, and so do their affinities. */
const NAMESPACE = 'shop'
const cluster = theCluster()
const GIVEN = { profile: 'seed', settings: settingsOf({}) } as const

const CRDS = [TSERVER, TENDPOINT, TEXITEDRECORD].flatMap(({ plural, group }) => [
  '-f',
  `manifests/crds/${plural}.${group}.yaml`,
])

beforeAll(async () => {
  expectDone(await cluster.kubectl(['create', 'namespace', NAMESPACE]))
  expectDone(await cluster.kubectl(['apply', ...CRDS]))
  expectDone(await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=20s', ...CRDS]))
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', NAMESPACE, '--wait=false'])
  expectDone(await cluster.kubectl(['delete', ...CRDS]))
}, 120_000)

function objectsOf(golden: string) {
  const given = givenIn(golden)
  return objectsFor(asServer(given.find(TSERVER.is)), given.find(TFRAMEWORKCONFIG.is), GIVEN)
}
type Wanted = ReturnType<typeof objectsOf>[number]
type Answered = Awaited<ReturnType<typeof cluster.request>>

function collectionOf({ group, version, plural }: Wanted['of']): string {
  const root = group === '' ? '/api' : `/apis/${group}`
  return `${root}/${version}/namespaces/${NAMESPACE}/${plural}`
}
const pathOf = ({ of, object }: Wanted) => `${collectionOf(of)}/${object.metadata.name}`

/** As the worker writes: an apply that creates, too (WK-12). */
const applied = (wanted: Wanted) =>
  cluster.request('PATCH', `${pathOf(wanted)}?fieldManager=tars-controller&force=true`, wanted.object, {
    contentType: 'application/apply-patch+yaml',
  })
/** A TExitedRecord is never applied, since that would empty it later (TX-R1). */
const isApplied = ({ of }: Wanted) => of !== TEXITEDRECORD
const created = (wanted: Wanted) =>
  isApplied(wanted) ? applied(wanted) : cluster.request('POST', collectionOf(wanted.of), wanted.object)

/** The owner is there: the garbage collector removes an object whose owner it does not find. */
async function storedOwner(golden: string): Promise<string> {
  const server = givenIn(golden).find(TSERVER.is)
  const { status, body } = await cluster.request('POST', collectionOf(TSERVER), server)
  expect(status).toBe(201)
  return String(partOf(body, 'metadata').uid)
}

describe.each(goldens)('%s on a real API server', (golden) => {
  const objects = objectsOf(golden).map((wanted) => ({ kind: wanted.of.kind, wanted }))
  let owner: string
  beforeAll(async () => {
    owner = await storedOwner(golden)
  })

  it.each(objects)('$kind is accepted', async ({ wanted }) => {
    expect(await created(ownedBy(owner, wanted))).toMatchObject({ status: 201 })
  })
  it.each(objects)('$kind is stored as recorded, and so with all that was sent', async ({ kind, wanted }) => {
    const { body } = await cluster.request('GET', pathOf(wanted))
    const stored = storedIn(golden).find((object) => isTree(object) && object.kind === kind)
    expect(bare(body)).toEqual(bare(withOwner(owner, stored)))
  })
  it.each(objects.filter(({ wanted }) => isApplied(wanted)))(
    '$kind is not stored again by an equal apply',
    async ({ wanted }) => {
      const { before, after } = await appliedAgain(ownedBy(owner, wanted))
      expect(after.status).toBe(200)
      expect(versionOf(after.body)).toBe(versionOf(before.body))
    },
  )
})

/** Tries again when a controller of the cluster wrote the status between the two requests. */
async function appliedAgain(wanted: Wanted): Promise<{ before: Answered; after: Answered }> {
  const before = await cluster.request('GET', pathOf(wanted))
  const after = await applied(wanted)
  const isDisturbed = !isDeepStrictEqual(partOf(before.body, 'status'), partOf(after.body, 'status'))
  return isDisturbed ? appliedAgain(wanted) : { before, after }
}

const METADATA = ['name', 'namespace', 'labels', 'annotations', 'ownerReferences']

/** Without what differs from one storing to the next. */
function bare(object: unknown): Tree {
  const { metadata: _, status: __, ...body } = treeOf(object)
  const kept = Object.entries(partOf(object, 'metadata')).filter(([key]) => METADATA.includes(key))
  return { ...body, metadata: Object.fromEntries(kept) }
}

/** The API server gives the owner another uid than the recorded one. */
function ownedBy(uid: string, { of, object }: Wanted): Wanted {
  const ownerReferences = object.metadata.ownerReferences?.map((reference) => ({ ...reference, uid }))
  return { of, object: { ...object, metadata: { ...object.metadata, ...(ownerReferences && { ownerReferences }) } } }
}
function withOwner(uid: string, object: unknown): Tree {
  const metadata = partOf(object, 'metadata')
  const { ownerReferences } = metadata
  const references = Array.isArray(ownerReferences) ? ownerReferences : []
  return { ...treeOf(object), metadata: { ...metadata, ownerReferences: references.map((each) => ({ ...each, uid })) } }
}
const versionOf = (object: unknown) => partOf(object, 'metadata').resourceVersion
const partOf = (object: unknown, field: string) => treeOf(treeOf(object)[field])
const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
