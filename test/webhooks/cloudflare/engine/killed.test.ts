import { describe, expect, it } from 'vitest'
import { TOKEN } from '../../../cloudflare/world.ts'
import { base64 } from '../../../support/builders/cloudflare.ts'
import { cloudflareWorld } from '../../../support/cloudflare-world.ts'
import { LastWrite } from '../../../support/last-write.ts'
import { CONTRACT, type ContractRow, objectOf, refOf } from './contract.ts'

type World = Awaited<ReturnType<typeof cloudflareWorld>>
/** More than any turn has. */
const MOST_WRITES = 12

/** Of each write which one is the last of its process, until a process gets through without its end. */
async function writesOf(
  row: ContractRow,
  begin: (world: World) => Promise<void>,
  end: (world: World) => Promise<void>,
) {
  for (let write = 1; write <= MOST_WRITES; write += 1) {
    await using world = await cloudflareWorld(objectOf(row))
    await begin(world)
    const last = new LastWrite(write)
    await world.settled({}, 0, { last })
    for (const _ of ['a successor', 'another one']) await world.settled()
    await end(world)
    expect(last.written.filter((body) => [TOKEN, base64(TOKEN)].some((text) => body.includes(text)))).toEqual([])
    if (!last.isDone) return write - 1
  }
  throw new Error(`there are more than ${MOST_WRITES} writes`)
}

const isThere = (row: ContractRow) => async (world: World) => {
  expect(row.all(world)).toHaveLength(1)
  expect(await world.ready(row.resource, refOf(row))).toBe('Synced')
}

describe.each(CONTRACT)('CF-OWN-08 CF-OWN-12 CF-TST-18 a worker that is killed at any write of a $kind', (row) => {
  it('makes one object in all, and writes the token nowhere', async () => {
    const begin = async () => undefined
    expect(await writesOf(row, begin, isThere(row))).toBeGreaterThanOrEqual(3)
  })

  it('deletes it in the end, and frees its own', async () => {
    const begin = async (world: World) => {
      await world.settled()
      await world.cluster.remove(row.resource, refOf(row))
    }
    const isGone = async (world: World) => {
      expect(row.all(world)).toEqual([])
      expect(await world.cluster.get(row.resource, refOf(row))).toBeUndefined()
    }
    expect(await writesOf(row, begin, isGone)).toBe(2)
  })
})

const CHANGES = CONTRACT.flatMap((row) => (row.change === undefined ? [] : [{ ...row, change: row.change }]))
describe.each(CHANGES)('CF-OWN-12 a worker that is killed at any write of a change of a $kind', (row) => {
  it('changes the same object', async () => {
    let id: unknown
    const begin = async (world: World) => {
      await world.settled()
      id = row.all(world)[0]?.id
      await world.cluster.merge(row.resource, refOf(row), { spec: row.change.spec })
    }
    const isChanged = async (world: World) => {
      await isThere(row)(world)
      expect(row.all(world)).toMatchObject([{ id, ...row.change.remote }])
    }
    expect(await writesOf(row, begin, isChanged)).toBeGreaterThanOrEqual(1)
  })
})
