import { describe, expect, it } from 'vitest'
import type { Turn } from '../../../../src/reconcile/controller.ts'
import { DNS_RECORD } from '../../../../webhooks/cloudflare/dnsrecord/schema.ts'
import { Rests } from '../../../../webhooks/cloudflare/engine/rests.ts'
import { ANNOTATIONS } from '../../../../webhooks/cloudflare/names.ts'

const KEY = { namespace: 'demo', name: 'a' }
const object = (annotations: Readonly<Record<string, string>> = {}, generation = 1) => ({
  metadata: { name: 'a', uid: 'u', generation, annotations },
})
const turn = (againInMs?: number, results: Turn['results'] = []): Turn => ({
  ...{ actions: [], results, notices: [] },
  ...(againInMs !== undefined && { againInMs }),
})

describe('CF-ONE-06 an object is not compared with Cloudflare before its time', () => {
  function world() {
    let now = 0
    const rests = new Rests(() => now)
    const left = (annotations = {}, { generation = 1, around = {} } = {}) =>
      rests.leftMs(KEY, object(annotations, generation), around)
    const at = (ms: number) => {
      now = ms
    }
    return { rests, left, at }
  }

  it('whatever wakes it, and however the last comparison ended', () => {
    const { rests, left, at } = world()
    expect(left()).toBeUndefined()
    rests.end(KEY, turn(1_000))
    at(400)
    expect(left({ [ANNOTATIONS.remoteId]: 'i' })).toBe(600)
    at(1_000)
    expect(left()).toBeUndefined()
  })

  it.each([
    { name: 'its author changes it', given: [{}, { generation: 2 }] },
    { name: 'its author annotates it', given: [{ [ANNOTATIONS.adoptionPolicy]: 'IfExists' }] },
    { name: 'it belongs elsewhere', given: [{}, { around: { zone: 'z' } }] },
  ] as const)('unless $name', ({ given: [annotations, more] }) => {
    const { rests, left } = world()
    left()
    rests.end(KEY, turn(1_000))
    expect(left(annotations, more)).toBeUndefined()
  })

  it('unless a write of the cluster did not go through, or it is another object', () => {
    const { rests, left } = world()
    left()
    const action = { do: 'create', of: DNS_RECORD, object: { metadata: { name: 'a' } }, because: '' } as const
    rests.end(KEY, turn(1_000, [{ action, outcome: 'overtaken' }]))
    expect(left()).toBeUndefined()
    rests.end(KEY, turn(1_000, [{ action, outcome: 'done' }]))
    expect(left()).toBe(1_000)
    rests.end(KEY, undefined)
    expect(left()).toBeUndefined()
  })
})
