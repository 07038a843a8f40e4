import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { ANNOTATIONS } from '../../../../webhooks/cloudflare/names.ts'
import { idIn } from '../../../cloudflare/world.ts'
import { cloudflareWorld } from '../../../support/cloudflare-world.ts'
import { CONTRACT, type ContractRow, objectOf, ownerOf, pathOf, refOf } from './contract.ts'

type World = Awaited<ReturnType<typeof cloudflareWorld>>

/** What stands at Cloudflare before the first object of the cluster. */
interface Stranger {
  readonly mark: 'none' | 'one' | 'legacy' | 'damaged' | 'several'
  readonly owner: 'a' | 'b' | 'elsewhere'
  readonly cluster: '' | 'blue' | 'green'
  /** It has the name that the objects claim. */
  readonly isMeant: boolean
}
interface Claimed {
  readonly name: 'a' | 'b'
  readonly policy: undefined | 'IfExists' | 'MustExist' | 'Force'
  /** Of which stranger it records the id, as an author may on creation. */
  readonly recorded: number
}

const stranger: fc.Arbitrary<Stranger> = fc.record({
  mark: fc.constantFrom('none', 'one', 'legacy', 'damaged', 'several'),
  owner: fc.constantFrom('a', 'b', 'elsewhere'),
  cluster: fc.constantFrom('', 'blue', 'green'),
  isMeant: fc.boolean(),
})
const claimed = (name: Claimed['name']): fc.Arbitrary<Claimed> =>
  fc.record({
    name: fc.constant(name),
    policy: fc.constantFrom(undefined, 'IfExists', 'MustExist', 'Force'),
    recorded: fc.constantFrom(-1, -1, 0, 1),
  })
const zone = fc.record({
  strangers: fc.array(stranger, { minLength: 1, maxLength: 4 }),
  objects: fc
    .tuple(fc.option(claimed('a')), fc.option(claimed('b')))
    .map((both) => both.filter((each) => each !== null)),
  clusterId: fc.constantFrom('', 'blue'),
})

/** Those of kinds that are not named after the kind. */
const FINALIZERS: Readonly<Record<string, string>> = {
  ClusterTunnel: 'cloudflare-operator.io/finalizer',
  Tunnel: 'cloudflare-operator.io/finalizer',
  R2Bucket: 'cloudflare.com/r2-bucket-finalizer',
}
const finalizerOf = ({ kind }: ContractRow) =>
  FINALIZERS[kind] ?? `${kind.toLowerCase()}.networking.cloudflare-operator.io/finalizer`

/** An object of the same kind under another name. */
const ELSEWHERE: Readonly<Record<string, Tree>> = {
  DNSRecord: { name: 'www.example.com' },
  NetworkRoute: { network: '10.9.0.0/16' },
}

function textOf(row: ContractRow, { mark, owner, cluster }: Stranger): string {
  const token = cluster === '' ? '' : ` [cluster:${cluster}]`
  const name = ownerOf(row, owner)
  switch (mark) {
    case 'none':
      return 'of somebody'
    case 'one':
      return `[managed-by:${name}]${token}`
    case 'legacy':
      return `[managed:${name}]${token} of somebody`
    case 'damaged':
      return '[managed-by:'
    case 'several':
      return `[managed-by:${name}] [managed-by:${ownerOf(row, 'third')}]`
  }
}

/** The most that the table of CF-OWN-10 gives to an object; it may get less, for there are several or it is too late. */
function mayTouch(row: ContractRow, its: Stranger, at: number, { name, policy, recorded }: Claimed, clusterId: string) {
  const isAsked = policy !== undefined || recorded === at
  if (!its.isMeant && recorded !== at) return false
  if (row.mark === undefined || its.mark === 'none') return isAsked && row.kind !== 'R2Bucket'
  if (its.mark === 'damaged' || its.mark === 'several' || its.owner !== name) return false
  return its.cluster === clusterId || (its.cluster === '' && isAsked)
}

const stored = ({ account, zone: { records } }: World) =>
  new Map(
    [account.tunnels, account.networks, account.routes, account.rules, account.buckets, records].flatMap((each) =>
      [...each].map(([id, object]) => [id, JSON.stringify(object)] as const),
    ),
  )

/** The ids of those that could be made; two of one name cannot be. */
async function strangersIn(row: ContractRow, world: World, strangers: readonly Stranger[]) {
  const ids: (string | undefined)[] = []
  for (const each of strangers) {
    const other = each.isMeant ? {} : (ELSEWHERE[row.kind] ?? { name: 'elsewhere' })
    const body = { ...row.others, ...other, ...(row.mark && { [row.mark]: textOf(row, each) }) }
    const made = await world.ask('POST', pathOf(row, world), body)
    ids.push(made.status === 200 ? idIn(made) || String(body.name) : undefined)
  }
  return ids
}

/** They managed something once, so that their deletion looks at Cloudflare. */
function objectsOf(row: ContractRow, objects: readonly Claimed[], ids: readonly (string | undefined)[]) {
  return objects.map(({ name, policy, recorded }) => {
    const id = ids[recorded]
    const annotations = {
      ...(policy && { [ANNOTATIONS.adoptionPolicy]: policy }),
      ...(id && { [ANNOTATIONS.remoteId]: id }),
    }
    const object = objectOf(row, annotations, name)
    return { ...object, metadata: { ...object.metadata, generation: 1, finalizers: [finalizerOf(row)] } }
  })
}

describe.each(CONTRACT)('CF-OWN-10 CF-OWN-12 CF-TST-14 a $kind of somebody else', (row) => {
  it('is byte for byte as it was, while objects claim its name and after they are gone', async () => {
    await fc.assert(
      fc.asyncProperty(zone, async ({ strangers, objects, clusterId }) => {
        await using world = await cloudflareWorld(objectOf(row)) // names the kind; it goes before it is seen
        await world.cluster.remove(row.resource, refOf(row))
        const ids = await strangersIn(row, world, strangers)
        const before = stored(world)
        const isOurs = (id: string) =>
          strangers.some((its, at) => ids[at] === id && objects.some((each) => mayTouch(row, its, at, each, clusterId)))
        const kept = () => [...before].filter(([id, object]) => !isOurs(id) && stored(world).get(id) !== object)
        world.cluster.seed(objectsOf(row, objects, ids))
        for (const _ of ['once', 'again']) await world.settled({ cloudflareClusterId: clusterId })
        expect(kept()).toEqual([])
        for (const { name } of objects) await world.cluster.remove(row.resource, refOf(row, name))
        for (const _ of ['once', 'again']) await world.settled({ cloudflareClusterId: clusterId })
        expect(kept()).toEqual([])
        for (const { name } of objects) expect(await world.cluster.get(row.resource, refOf(row, name))).toBeUndefined()
      }),
      { numRuns: 30 },
    )
  }, 60_000)
})
