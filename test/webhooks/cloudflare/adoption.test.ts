import { describe, expect, it } from 'vitest'
import {
  type AdoptionPolicy,
  adoptionOf,
  deletionOf,
  type RemoteObject,
} from '../../../webhooks/cloudflare/adoption.ts'
import { conflictOf } from '../../../webhooks/cloudflare/conflict-words.ts'
import { buildManagedComment } from '../../../webhooks/cloudflare/managed-comment.ts'

const owner = { kind: 'DNSRecord', namespace: 'default', name: 'a' }
const other = { ...owner, name: 'other' }
const OURS = buildManagedComment(owner, 'of the shop')
const OURS_IN_BLUE = buildManagedComment(owner, '', { clusterId: 'blue' })
const LEGACY = '[managed:DNSRecord/default/a]'
const SHORT = buildManagedComment(owner, '', { limit: 1 })
const OTHERS = buildManagedComment(other, '')
const DAMAGED = '[managed-by:DNSRecord/default'

const remote = (text: string, isProven = false): RemoteObject => ({ id: 'r1', text, isProven })
const POLICIES: readonly AdoptionPolicy[] = ['MustNotExist', 'IfExists', 'MustExist', 'Force']
const all = (decision: string) => POLICIES.map(() => decision)

interface Row {
  readonly name: string
  readonly text?: string
  readonly proven?: boolean
  readonly clusterId?: string
  readonly from?: typeof owner
  /** By the policies, in their order. */
  readonly decisions: readonly string[]
}
/** CF-OWN-10, a row each. */
const MATRIX: readonly Row[] = [
  { name: 'absent', decisions: ['create', 'create', 'miss', 'create'] },
  { name: 'our mark', text: OURS, decisions: all('update') },
  { name: 'our mark in the legacy form', text: LEGACY, decisions: all('update') },
  { name: 'our short mark', text: SHORT, decisions: all('update') },
  { name: 'our mark with our cluster', text: OURS_IN_BLUE, clusterId: 'blue', decisions: all('update') },
  { name: 'our mark without a cluster, proven', text: OURS, proven: true, clusterId: 'blue', decisions: all('update') },
  {
    name: 'our mark without a cluster',
    text: OURS,
    clusterId: 'blue',
    decisions: ['conflict', 'adopt', 'adopt', 'adopt'],
  },
  {
    name: 'our mark of another cluster',
    text: OURS_IN_BLUE,
    clusterId: 'green',
    decisions: ['conflict', 'conflict', 'conflict', 'adopt'],
  },
  {
    name: 'our mark of another cluster, proven',
    text: OURS_IN_BLUE,
    proven: true,
    decisions: ['conflict', 'conflict', 'conflict', 'adopt'],
  },
  { name: 'the mark of another', text: OTHERS, decisions: ['conflict', 'conflict', 'conflict', 'adopt'] },
  {
    name: 'the mark of another, proven',
    text: OTHERS,
    proven: true,
    decisions: ['conflict', 'conflict', 'conflict', 'adopt'],
  },
  { name: 'the mark of another that hands over', text: OTHERS, from: other, decisions: all('adopt') },
  {
    name: 'the mark of another than the one that hands over',
    text: OTHERS,
    from: { ...owner, name: 'third' },
    decisions: ['conflict', 'conflict', 'conflict', 'adopt'],
  },
  { name: 'no mark, proven', text: 'by hand', proven: true, decisions: all('update') },
  { name: 'no mark', text: 'by hand', decisions: ['conflict', 'adopt', 'adopt', 'adopt'] },
  { name: 'a damaged mark', text: DAMAGED, decisions: ['conflict', 'conflict', 'conflict', 'adopt'] },
  {
    name: 'a damaged mark, proven',
    text: DAMAGED,
    proven: true,
    decisions: ['conflict', 'conflict', 'conflict', 'adopt'],
  },
  { name: 'several marks', text: `${OURS} ${OTHERS}`, decisions: ['conflict', 'conflict', 'conflict', 'adopt'] },
]

describe('CF-OWN-10 CF-OWN-16 a remote object with', () => {
  it.each(MATRIX)('$name', ({ text, proven, clusterId = '', from, decisions }) => {
    const candidates = text === undefined ? [] : [remote(text, proven)]
    expect(POLICIES.map((policy) => adoptionOf({ owner, clusterId, policy, from, candidates }).do)).toEqual(decisions)
  })

  it('of several candidates none is picked, whatever the policy', () => {
    const candidates = [remote(OURS), { ...remote('by hand'), id: 'r2' }]
    for (const policy of POLICIES)
      expect(adoptionOf({ owner, clusterId: '', policy, candidates })).toEqual({ do: 'choose', candidates })
  })
})

describe('§3.4 CF-OWN-10 a conflict says who, which and what to do', () => {
  const words = { noun: 'record', words: 'CNAME api.example.com' }
  const say = (candidates: readonly RemoteObject[], policy: AdoptionPolicy = 'MustNotExist') =>
    conflictOf(adoptionOf({ owner, clusterId: '', policy, candidates }), words)
  it.each([
    {
      text: OTHERS,
      reason: 'ManagedByAnother',
      message: 'record managed by DNSRecord/default/other (CNAME api.example.com, id r1)',
    },
    {
      text: OURS_IN_BLUE,
      reason: 'ManagedByAnother',
      message: 'record managed by this resource of cluster blue (CNAME',
    },
    {
      text: `${OURS} ${OTHERS}`,
      reason: 'ManagedByAnother',
      message: 'managed by DNSRecord/default/a and DNSRecord/default/other',
    },
    { text: `${DAMAGED}\n\u0000`, reason: 'ManagedByAnother', message: `its mark is unreadable: "${DAMAGED}"` },
    {
      text: 'by hand',
      reason: 'AdoptionConflict',
      message:
        'record exists but is not managed by this resource (CNAME api.example.com, id r1); set annotation cloudflare-operator.io/adoption-policy=IfExists to take it over',
    },
  ])('$reason: $message', ({ text, reason, message }) => {
    expect(say([remote(text)])).toEqual({ reason, message: expect.stringContaining(message) })
  })

  it('of none, of several, and of no conflict', () => {
    expect(say([], 'MustExist')).toMatchObject({ reason: 'InvalidConfig' })
    expect(say([remote(''), { ...remote(''), id: 'r2' }])?.message).toContain(
      '2 candidates exist (CNAME api.example.com, ids r1, r2)',
    )
    for (const candidates of [[], [remote(OURS)], [remote('', true)]]) expect(say(candidates)).toBeUndefined()
    expect(say([remote('')], 'IfExists')).toBeUndefined()
  })
})

describe('CF-OWN-12 CF-OWN-13 on deletion', () => {
  it.each([
    { name: 'nothing is there', found: undefined, decision: 'gone' },
    { name: 'our mark', found: remote(OURS), decision: 'delete' },
    { name: 'no mark, proven', found: remote('', true), decision: 'delete' },
    { name: 'no mark', found: remote(''), decision: 'skip' },
    { name: 'the mark of another, proven', found: remote(OTHERS, true), decision: 'skip' },
    { name: 'our mark of another cluster', found: remote(OURS_IN_BLUE, true), decision: 'skip' },
    { name: 'a damaged mark', found: remote(DAMAGED, true), decision: 'skip' },
  ])('$name: $decision', ({ found, decision }) => {
    expect(deletionOf(found, { owner, clusterId: '' }, 'Delete')).toBe(decision)
    const orphaned = decision === 'delete' ? 'orphan' : decision
    expect(deletionOf(found, { owner, clusterId: '' }, 'Orphan')).toBe(orphaned)
  })
})
