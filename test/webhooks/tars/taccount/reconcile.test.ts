import { describe, expect, it } from 'vitest'
import { NOTHING_KNOWN } from '../../../../src/fact.ts'
import { plan, taccountController } from '../../../../webhooks/tars/taccount/reconcile.ts'
import { TACCOUNT } from '../../../../webhooks/tars/taccount/schema.ts'
import { DROP_EXPIRED_TOKENS } from '../../../../webhooks/tars/taccount/settings.ts'
import { withSetting } from '../../../support/answerer-parts.ts'
import { A_TOKEN, aTAccount, hashFor } from '../../../support/builders/accounts.ts'
import { admittingCluster, NOW } from '../../../support/clusters.ts'
import { controllersWith, turnsOf } from '../../../support/turns.ts'

const at = new Date(NOW)
const token = (expirationTime: unknown, content = 'a session') => ({ ...A_TOKEN, content, expirationTime })
const EXPIRED = token('2026-11-18T11:59:59Z', 'an old session')
const VALID = token('2026-11-18T13:00:00+00:30', 'a new session')
const HALF_AN_HOUR = 1_800_000

function planned(tokens: unknown, wishes = {}) {
  const { metadata, ...rest } = aTAccount({
    authentication: { bcryptPassword: hashFor('Passw0rd!'), tokens },
    ...wishes,
  })
  const account = { ...rest, metadata: { ...metadata, uid: 'a', resourceVersion: '7' } }
  if (TACCOUNT.isDraft(account)) return plan(account, { at })
  throw new Error('no cache holds that')
}

describe('TA-R1 an account plans', () => {
  const { name } = aTAccount().metadata
  const without = (...places: readonly number[]) => [
    {
      do: 'patch',
      of: TACCOUNT,
      ref: { namespace: 'demo', name },
      expects: { uid: 'a', resourceVersion: '7' },
      operations: places.map((place) => ({ op: 'remove', path: `/spec/authentication/tokens/${place}` })),
      because: 'TA-R1',
    },
  ]

  it.each([
    { name: 'nothing without tokens', tokens: undefined, plan: { actions: [] } },
    {
      name: 'to come again when the first token expires',
      tokens: [token('2027-01-01T00:00:00Z'), VALID],
      plan: { actions: [], againInMs: HALF_AN_HOUR + 1 },
    },
    {
      name: 'to come again within a day',
      tokens: [token('2027-01-01T00:00:00Z')],
      plan: { actions: [], againInMs: 86_400_000 },
    },
    { name: 'a token that expires now is valid', tokens: [token(NOW)], plan: { actions: [], againInMs: 1 } },
    {
      name: 'to drop expired tokens by their places, the last one first',
      tokens: [EXPIRED, VALID, EXPIRED],
      plan: { actions: without(2, 0), againInMs: HALF_AN_HOUR + 1 },
    },
    { name: 'nothing for a time that is none', tokens: [token('soon'), token(undefined)], plan: { actions: [] } },
  ])('$name', ({ tokens, plan }) => {
    expect(planned(tokens)).toEqual(plan)
  })

  it('nothing on an account that terminates', () => {
    expect(planned([EXPIRED], { going: true })).toEqual({ actions: [] })
  })

  it('at most 1,000 tokens at once, and never the text of one', () => {
    const [action] = planned(Array.from({ length: 1_001 }, () => EXPIRED)).actions
    expect(action?.do === 'patch' && action.operations.length).toBe(1_000)
    expect(JSON.stringify(action)).not.toContain('an old session')
  })
})

describe('TA-R1 on a cluster', () => {
  it('expired tokens go, and the hash and all other tokens stay (TA-M5)', async () => {
    const cluster = admittingCluster()
    const bcryptPassword = hashFor('Passw0rd!')
    const account = aTAccount({ authentication: { bcryptPassword, tokens: [EXPIRED, VALID] } })
    cluster.seed([account])
    const key = { namespace: 'demo', name: account.metadata.name }
    const turn = turnsOf('taccount', cluster)

    expect(await turn(key, at)).toMatchObject({ results: [{ outcome: 'done' }], notices: [] })
    const authentication = { bcryptPassword, tokens: [VALID], activated: true }
    expect(await cluster.get(TACCOUNT, key)).toMatchObject({ spec: { authentication } })
    expect(await turn(key, at)).toMatchObject({ actions: [] })
    expect(await turn({ ...key, name: 'gone' }, at)).toBeUndefined()
  })

  it.each([
    { outcome: 'refused', reasons: ['SyncFailed'] },
    { outcome: 'done', reasons: [] },
  ] as const)(
    'WK-7 a write that is $outcome: $reasons, without the words of the API server',
    async ({ outcome, reasons }) => {
      const cluster = admittingCluster()
      cluster.seed([aTAccount({ authentication: { bcryptPassword: hashFor('Passw0rd!'), tokens: [EXPIRED] } })])
      const key = { namespace: 'demo', name: aTAccount().metadata.name }
      const sight = { cached: cluster, live: cluster, gone: () => [] }
      const settings = withSetting(DROP_EXPIRED_TOKENS, true)
      const given = { at, attempt: 0, profile: 'seed', settings, facts: NOTHING_KNOWN } as const
      const context = { ...given, live: cluster, writer: cluster, signal: new AbortController().signal }
      const write = async () => ({ outcome, message: 'an old session' })
      const turn = await taccountController.turn(key, { ...given, sight, carryOut: { context, write } })
      expect(turn?.notices.map(({ reason }) => reason)).toEqual(reasons)
      expect(JSON.stringify(turn?.notices)).not.toContain('an old session')
    },
  )

  it('keeps no hash of a password, and runs nowhere where --drop-expired-tokens is off', () => {
    const kept = taccountController.watches.flatMap(({ keeps }) => keeps?.fields)
    expect(kept).toEqual(['spec.authentication.tokens', 'metadata.deletionTimestamp'])
    expect(controllersWith(withSetting(DROP_EXPIRED_TOKENS, false))).not.toContain(taccountController)
  })
})
