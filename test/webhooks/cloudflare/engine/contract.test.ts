import { describe, expect, it } from 'vitest'
import { openCloudflare } from '../../../../src/remote/cloudflare/client.ts'
import type { Tree } from '../../../../src/schema.ts'
import { settingsOf } from '../../../../src/setting.ts'
import { CREDENTIALS } from '../../../../webhooks/cloudflare/credentials/schema.ts'
import { cloudflare } from '../../../../webhooks/cloudflare/family.ts'
import { ANNOTATIONS } from '../../../../webhooks/cloudflare/names.ts'
import { cloudflareWorld } from '../../../support/cloudflare-world.ts'
import { quickPasswords } from '../../../support/passwords.ts'
import { CONTRACT, type ContractRow, objectOf, ownerOf, pathOf, refOf } from './contract.ts'

type World = Awaited<ReturnType<typeof cloudflareWorld>>
const ADOPT = { [ANNOTATIONS.adoptionPolicy]: 'IfExists' }
const markOf = (row: ContractRow, name = 'a') => `[managed-by:${ownerOf(row, name)}]`

async function made(row: ContractRow, world: World, more: Tree = {}) {
  await world.ask('POST', pathOf(row, world), { ...row.others, ...more })
  world.double.log.splice(0)
}
const patched = (row: ContractRow, { cluster }: World, patch: Tree) => cluster.merge(row.resource, refOf(row), patch)
const annotated = (row: ContractRow, world: World, annotations: Tree) =>
  patched(row, world, { metadata: { annotations } })

it('the contract has a row for each kind that is kept at Cloudflare', () => {
  const remotes = { passwords: quickPasswords, cloudflare: openCloudflare }
  const kept = cloudflare
    .controllers(remotes, settingsOf({}))
    .filter(({ of, writes }) => writes.some(({ resource, verbs }) => resource === of && verbs.includes('own')))
  expect(CONTRACT.map(({ kind }) => kind).sort()).toEqual(kept.map(({ of }) => of.kind).sort())
})

describe.each(CONTRACT)('CF-TST-14 a $kind', (row) => {
  it('is made once, with its owner and its id, and a second pass writes nothing (CF-OWN-08, CF-ONE-04)', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    const first = await world.settled()
    expect(first).toMatchObject({ calls: [`POST ${row.collection}`], reasons: ['Created'] })
    const [remote, ...others] = row.all(world)
    expect(others).toEqual([])
    const id = String(remote?.id ?? remote?.name)
    expect(await world.cluster.get(row.resource, refOf(row))).toMatchObject({
      metadata: {
        annotations: { [ANNOTATIONS.remoteId]: id, [ANNOTATIONS.remoteOrigin]: 'created' },
        finalizers: [expect.stringContaining('finalizer')],
      },
      status: { [row.status.id]: id, state: row.status.ready, observedGeneration: 1 },
    })
    expect(await world.ready(row.resource, refOf(row))).toBe('Synced')
    expect(await world.settled()).toEqual({ writes: [], calls: [], reasons: [] })
  })

  it('that nobody manages stays byte for byte, until an annotation says to take it over (CF-OWN-10)', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await made(row, world)
    const before = world.double.state.digest()
    expect(await world.settled()).toMatchObject({ calls: [], reasons: ['AdoptionConflict'] })
    expect(await world.ready(row.resource, refOf(row))).toMatch(
      /^AdoptionConflict: .* exists but is not managed by this resource .*; set annotation .*=IfExists to take it over$/,
    )
    expect(world.double.state.digest()).toBe(before)
    await annotated(row, world, ADOPT)
    expect(await world.settled()).toMatchObject({ reasons: ['Adopted'] })
    const annotations = { [ANNOTATIONS.remoteOrigin]: 'adopted' }
    expect(await world.cluster.get(row.resource, refOf(row))).toMatchObject({ metadata: { annotations } })
    expect(row.all(world)).toHaveLength(1)
    expect(await world.settled()).toEqual({ writes: [], calls: [], reasons: [] })
  })

  it('says by its own word that nothing is done for it (CF-CRD-05)', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await world.cluster.remove(CREDENTIALS, { namespace: '', name: 'main' })
    expect(await world.settled()).toMatchObject({ calls: [], reasons: ['DependencyError'] })
    expect(await world.cluster.get(row.resource, refOf(row))).toMatchObject({ status: { state: row.status.error } })
  })

  it('is deleted with its object, and what is gone already is no failure (CF-OWN-12)', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await world.settled()
    await world.cluster.remove(row.resource, refOf(row))
    expect(await world.settled()).toMatchObject({ reasons: ['Deleted', 'FinalizerRemoved'] })
    expect(row.all(world)).toEqual([])
    expect(await world.cluster.get(row.resource, refOf(row))).toBeUndefined()
  })

  it('that is gone when its object is deleted frees the object (CF-OWN-12)', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await world.settled()
    const { result } = await world.ask('GET', pathOf(row, world))
    expect(result).toBeDefined()
    const id = await idOf(row, world)
    await world.ask('DELETE', `${pathOf(row, world)}/${id}`)
    await world.cluster.remove(row.resource, refOf(row))
    expect(await world.settled()).toMatchObject({ calls: [], reasons: ['FinalizerRemoved'] })
    expect(await world.cluster.get(row.resource, refOf(row))).toBeUndefined()
  })

  it('that vanished is made again, and an event says so', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await world.settled()
    await world.ask('DELETE', `${pathOf(row, world)}/${await idOf(row, world)}`)
    expect(await world.settled()).toMatchObject({ reasons: ['RemoteMissing', 'Created'] })
    expect(row.all(world)).toHaveLength(1)
  })

  it('stays without its owner where the policy is Orphan (CF-OWN-13)', async () => {
    await using world = await cloudflareWorld(objectOf(row, { [ANNOTATIONS.deletionPolicy]: 'Orphan' }))
    await world.settled()
    await world.cluster.remove(row.resource, refOf(row))
    await world.settled()
    const [remote] = row.all(world)
    expect(remote).toBeDefined()
    if (row.mark !== undefined) expect(remote?.[row.mark]).toBe(row.spec[row.mark] ?? '')
    expect(await world.cluster.get(row.resource, refOf(row))).toBeUndefined()
  })

  it('whose creation timed out after it succeeded is found as its own (CF-ONE-04)', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    world.double.faults.plan({ method: 'POST', path: row.collection, do: 'reset after' })
    expect(await world.settled()).toMatchObject({ reasons: ['CreateFailed'] })
    await world.settled()
    expect(row.all(world)).toHaveLength(1)
    expect(await world.ready(row.resource, refOf(row))).toBe('Synced')
  })

  it('belongs to the older of two objects (CF-ONE-01, CF-ONE-04)', async () => {
    const younger = objectOf(row, undefined, 'b')
    const metadata = { ...younger.metadata, creationTimestamp: '2026-11-18T12:00:01Z' }
    await using world = await cloudflareWorld({ ...younger, metadata }, objectOf(row))
    await world.settled()
    expect(row.all(world)).toHaveLength(1)
    expect(await world.ready(row.resource, refOf(row))).toBe('Synced')
    expect(await world.ready(row.resource, refOf(row, 'b'))).toMatch(
      new RegExp(`^DuplicateClaim: .* is already claimed by ${ownerOf(row)}$`),
    )
    await world.cluster.remove(row.resource, refOf(row))
    await world.settled()
    expect(await world.ready(row.resource, refOf(row, 'b'))).toBe('Synced')
    expect(row.all(world)).toHaveLength(1)
  })
})

async function idOf(row: ContractRow, { cluster }: World): Promise<string> {
  const found = await cluster.get(row.resource, refOf(row))
  return found?.metadata.annotations?.[ANNOTATIONS.remoteId] ?? ''
}

const MARKED = CONTRACT.flatMap((row) => (row.mark === undefined ? [] : [{ ...row, mark: row.mark }]))
describe.each(MARKED)('CF-TST-14 the mark of a $kind', (row) => {
  const textOf = (world: World) => row.all(world)[0]?.[row.mark]
  const comment = String(row.spec[row.mark] ?? '')
  const marked = [markOf(row), comment].filter(Boolean).join(' ')

  it('stands before the comment of the author', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await world.settled()
    expect(textOf(world)).toBe(marked)
  })

  it.each([
    { name: 'of another owner', text: markOf(row, 'other'), says: 'ManagedByAnother: .*managed by .*other' },
    { name: 'that cannot be read', text: '[managed-by:', says: 'ManagedByAnother: .*managed by unknown .*unreadable' },
    { name: 'of another cluster', text: `${markOf(row)} [cluster:blue]`, says: 'ManagedByAnother: .*of cluster blue' },
  ])(
    '$name is a conflict that changes nothing, neither now nor at the end (CF-OWN-12, CF-OWN-16)',
    async ({ text, says }) => {
      await using world = await cloudflareWorld(objectOf(row, ADOPT))
      await made(row, world, { [row.mark]: text })
      const before = world.double.state.digest()
      expect(await world.settled()).toMatchObject({ calls: [], reasons: ['ManagedByAnother'] })
      expect(await world.ready(row.resource, refOf(row))).toMatch(new RegExp(`^${says}`))
      await world.cluster.remove(row.resource, refOf(row))
      await world.settled()
      expect(world.double.state.digest()).toBe(before)
      expect(await world.cluster.get(row.resource, refOf(row))).toBeUndefined()
    },
  )

  it('leaves as much of a comment as there is room for (CF-OWN-05)', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await patched(row, world, { spec: { [row.mark]: '𝕏'.repeat(row.limit ?? 0) } })
    expect(await world.settled()).toMatchObject({ reasons: ['Created', 'CommentTruncated'] })
    const text = String(textOf(world))
    expect([...text]).toHaveLength(row.limit ?? 0)
    expect(text).toMatch(/𝕏…$/)
  })

  it('of an earlier operator is written in today’s form (CF-OWN-03)', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await made(row, world, { [row.mark]: `[managed:${ownerOf(row)}]` })
    await world.settled()
    expect(textOf(world)).toBe(marked)
  })

  it('is added where the recorded id proves the owner', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await made(row, world)
    await annotated(row, world, { [ANNOTATIONS.remoteId]: String(row.all(world)[0]?.id) })
    await world.settled()
    expect(textOf(world)).toBe(marked)
  })

  it('goes over to an object that names its owner (CF-OWN-11)', async () => {
    const annotations = { [ANNOTATIONS.adoptFrom]: ownerOf(row, 'other') }
    await using world = await cloudflareWorld(objectOf(row, annotations))
    await made(row, world, { [row.mark]: markOf(row, 'other') })
    expect(await world.settled()).toMatchObject({ reasons: ['Adopted'] })
    expect(textOf(world)).toBe(marked)
  })

  it('has the cluster where it has an id (CF-OWN-16)', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await world.settled()
    await world.settled({ cloudflareClusterId: 'blue' })
    expect(textOf(world)).toBe([markOf(row), '[cluster:blue]', comment].filter(Boolean).join(' '))
  })

  it('is brought back after somebody took it away, as a drift', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await world.settled()
    const path = `${pathOf(row, world)}/${await idOf(row, world)}`
    const [remote] = row.all(world)
    await world.ask(row.updates ?? 'PATCH', path, { ...remote, [row.mark]: 'x' })
    expect(await world.settled()).toMatchObject({ reasons: ['DriftDetected', 'Updated'] })
    expect(textOf(world)).toBe(marked)
  })
})

const CHANGED = CONTRACT.flatMap((row) => (row.change === undefined ? [] : [{ ...row, change: row.change }]))
describe.each(CHANGED)('CF-TST-14 a changed $kind', (row) => {
  it('changes the same remote object', async () => {
    await using world = await cloudflareWorld(objectOf(row))
    await world.settled()
    const [before] = row.all(world)
    await patched(row, world, { spec: row.change.spec })
    expect(await world.settled()).toMatchObject({ reasons: ['Updated'] })
    expect(row.all(world)).toEqual([expect.objectContaining({ id: before?.id, ...row.change.remote })])
  })
})
