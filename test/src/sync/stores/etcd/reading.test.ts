import { status } from '@grpc/grpc-js'
import { describe, expect, it } from 'vitest'
import { type Ask, snapshotOf } from '../../../../../src/sync/stores/etcd/reading.ts'
import { Message } from '../../../../../src/sync/stores/etcd/wire.ts'
import { aKey } from '../../../../support/builders/keys.ts'
import { asksFor, foundAt } from '../../../../support/fakes/etcd.ts'

const keys = (many: number) => Array.from({ length: many }, (_, index) => aKey(`/k/${index}`))

type Asked = ReturnType<typeof asksFor>

/** Answers by the number of the request, and notes what was asked. */
function script(answer: (asked: Asked, turn: number) => Buffer | Error): {
  readonly ask: Ask
  readonly asked: Asked[]
} {
  const asked: Asked[] = []
  return {
    asked,
    ask: async (request, decode) => {
      const one = asksFor(new Message(request))
      asked.push(one)
      const answered = answer(one, asked.length)
      if (answered instanceof Error) throw answered
      return decode(answered)
    },
  }
}

const refused = (details: string) => Object.assign(new Error(details), { code: status.OUT_OF_RANGE, details })
const COMPACTED = refused('etcdserver: mvcc: required revision has been compacted')
const empty = ({ ranges }: Asked, revision = 9n) => foundAt(revision, ...Array.from({ length: ranges }, () => ({})))

describe('SY-ETCD-3 SY-SEED-10 a snapshot', () => {
  it('takes 128 keys at a time, all at the revision of the first', async () => {
    const { ask, asked } = script((one, turn) => empty(one, BigInt(turn) + 8n))
    const { revision } = await snapshotOf(keys(300), ask)
    expect(revision).toBe('9')
    expect(asked).toEqual([
      { ranges: 128, revision: 0n },
      { ranges: 128, revision: 9n },
      { ranges: 44, revision: 9n },
    ])
  })

  it('takes half as many at a time where the server refuses them', async () => {
    const { ask, asked } = script((one) =>
      one.ranges > 40 ? refused('etcdserver: too many operations in txn request') : empty(one),
    )
    await snapshotOf(keys(100), ask)
    expect(asked.map(({ ranges }) => ranges)).toEqual([100, 64, 32, 32, 32, 4])
  })

  it('begins again when its revision was compacted, three times at most', async () => {
    const once = script((one, turn) => (turn === 2 ? COMPACTED : empty(one)))
    await snapshotOf(keys(200), once.ask)
    expect(once.asked.map(({ revision }) => revision)).toEqual([0n, 9n, 0n, 9n])

    const always = script((one, turn) => (turn % 2 === 0 ? COMPACTED : empty(one)))
    await expect(snapshotOf(keys(200), always.ask)).rejects.toBe(COMPACTED)
    expect(always.asked).toHaveLength(8)
  })

  it('leaves out what lies between a key and its children (SY-BE-5)', async () => {
    const { ask } = script(() => foundAt(9n, { '/app': '1', '/app-x': '2', '/app/a': '3' }))
    expect([...(await snapshotOf([aKey('/app')], ask)).values.keys()]).toEqual(['/app', '/app/a'])
  })

  it('refuses an answer to other ranges than those asked for, and more than 64 MiB in all', async () => {
    await expect(snapshotOf(keys(2), script(() => foundAt(9n, {})).ask)).rejects.toThrow('other ranges')
    const half = 'x'.repeat(33 * 1024 * 1024)
    const large = script(({ ranges }, turn) =>
      foundAt(9n, { [turn === 1 ? '/k/0' : '/k/99']: half }, ...Array.from({ length: ranges - 1 }, () => ({}))),
    )
    const failure = snapshotOf(keys(129), large.ask).then(({ values }) => values.size)
    await expect(failure).rejects.toMatchObject({ code: 'STORE_ANSWER' })
  })
})
