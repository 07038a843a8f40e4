import { describe, expect, it } from 'vitest'
import { NOTHING_KNOWN } from '../../../../src/fact.ts'
import { CloudflareFault } from '../../../../src/remote/cloudflare/port.ts'
import { settingsOf } from '../../../../src/setting.ts'
import { RemoteAccounts } from '../../../../webhooks/cloudflare/access/accounts.ts'
import { Networks } from '../../../../webhooks/cloudflare/access/networks.ts'
import { Zones } from '../../../../webhooks/cloudflare/access/zones.ts'
import { callsOf, isGone } from '../../../../webhooks/cloudflare/engine/calls.ts'
import { remoteController } from '../../../../webhooks/cloudflare/engine/controller.ts'
import { outcomeOf } from '../../../../webhooks/cloudflare/engine/outcome.ts'
import { performing, type RemoteStep } from '../../../../webhooks/cloudflare/engine/step.ts'
import { r2BucketRemote } from '../../../../webhooks/cloudflare/r2bucket/remote.ts'
import { aCloudflare, aSecret } from '../../../support/builders/cloudflare.ts'
import { clusterOf, NOW } from '../../../support/clusters.ts'
import { ScriptedCloudflare } from '../../../support/fakes/cloudflare.ts'
import { turnsOfController } from '../../../support/turns.ts'

describe('CF-OWN-12 an answer that says that an object is gone', () => {
  const answer = (httpStatus: number, ...codes: readonly number[]) =>
    new CloudflareFault('REMOTE_REFUSED', 'no', { httpStatus, codes })
  it.each([
    { name: 'is a 404', cause: answer(404, 1003), gone: true },
    { name: 'has the code of its kind', cause: answer(400, 10006), gone: true },
    { name: 'is none of a path that is not there', cause: answer(404, 7003), gone: false },
    { name: 'is no other refusal', cause: answer(409, 10008), gone: false },
    { name: 'is no other error', cause: new TypeError('x'), gone: false },
  ])('$name', ({ cause, gone }) => {
    expect(isGone(cause, [10006])).toBe(gone)
  })
})

describe('a step at Cloudflare', () => {
  const step: RemoteStep = {
    ...{ do: 'delete remote', id: 'b', because: 'CF-OWN-12' },
    account: { id: 'acc', credentials: 'main' },
    place: { params: {}, known: {} },
  }
  async function performed(answers: () => unknown, isKnown = true) {
    const cluster = clusterOf(aCloudflare('CloudflareCredentials', { isDefault: true }, { name: 'main' }), aSecret())
    const accounts = new RemoteAccounts(new ScriptedCloudflare(answers), settingsOf({}))
    if (isKnown) await accounts.of({}, { cached: cluster, live: cluster })
    const context = { live: cluster, writer: cluster, at: new Date(0), settings: settingsOf({}) }
    const perform = performing(callsOf(r2BucketRemote), accounts)
    return perform(step, { ...context, signal: new AbortController().signal })
  }
  const failing = (cause: unknown) => () => {
    throw cause
  }
  const refusal = (codes: readonly number[]) => new CloudflareFault('REMOTE_REFUSED', 'no', { httpStatus: 409, codes })

  it('ends well where the object is gone already', async () => {
    expect(await performed(failing(refusal([10006])))).toEqual({ outcome: 'done' })
  })
  it('fails with the time of the next attempt at the latest', async () => {
    expect(await performed(failing(refusal([10008])))).toMatchObject({
      outcome: 'failed',
      cause: { codes: [10008], retryAfterMs: 600_000 },
    })
  })
  it('fails without credentials', async () => {
    expect(await performed(() => ({}), false)).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('main'),
    })
  })
  it('throws what is no fault of the API', async () => {
    await expect(performed(failing(new TypeError('x')))).rejects.toThrow('x')
  })

  it('that was not reached, or whose answer is of no use, decides nothing', () => {
    const decision = {
      do: 'write',
      as: 'create',
      step: { ...step, do: 'create remote', body: {} },
      isTruncated: false,
    } as const
    expect(outcomeOf(decision, [], r2BucketRemote.codes)).toEqual({ is: 'interrupted' })
    const results = [{ action: decision.step, outcome: 'done' }] as const
    expect(outcomeOf(decision, results, r2BucketRemote.codes)).toEqual({ is: 'interrupted' })
    const taken = [{ action: decision.step, outcome: 'failed', cause: refusal([10004]) }] as const
    expect(outcomeOf(decision, taken, r2BucketRemote.codes)).toMatchObject({
      held: { reason: 'APIError', isRefused: false },
    })
  })
})

describe('an engine on its own', () => {
  function world(answers: () => unknown) {
    const api = new ScriptedCloudflare(answers)
    const settings = settingsOf({})
    const parts = {
      accounts: new RemoteAccounts(api, settings),
      zones: new Zones(api.tick, settings),
      networks: new Networks(api.tick, settings),
    }
    return remoteController(r2BucketRemote, { ...parts, settings, tick: api.tick })
  }
  const bucket = aCloudflare('R2Bucket', { name: 'assets' })
  const KEY = { namespace: 'demo', name: 'a' }

  it('throws what is no fault of the API, and tells two accounts apart as far as it knows', async () => {
    const boom = () => {
      throw new TypeError('x')
    }
    const cluster = clusterOf(aCloudflare('CloudflareCredentials', { isDefault: true }), aSecret(), bucket)
    await expect(turnsOfController(world(boom), cluster)(KEY, new Date(NOW))).rejects.toThrow('x')
  })
  it('concludes nothing from a turn whose first write another writer overtook', async () => {
    const cluster = clusterOf(aCloudflare('CloudflareCredentials', { isDefault: true }), aSecret(), bucket)
    const gone = () => {
      throw new CloudflareFault('REMOTE_REFUSED', 'no', { httpStatus: 404, codes: [10006] })
    }
    const given = {
      at: new Date(NOW),
      attempt: 0,
      profile: 'seed',
      settings: settingsOf({}),
      facts: NOTHING_KNOWN,
    } as const
    const context = { ...given, live: cluster, writer: cluster, signal: new AbortController().signal }
    const carryOut = { context, write: async () => ({ outcome: 'overtaken' }) as const }
    const sight = { cached: cluster, live: cluster, gone: () => [] }
    const turn = await world(gone).turn(KEY, { ...given, sight, carryOut })
    expect(turn?.results).toMatchObject([{ outcome: 'overtaken', action: { do: 'merge' } }])
    expect(turn?.notices).toEqual([])
    expect(turn?.againInMs).toBeUndefined()
  })
  it('compares the words of two objects where no account is known', async () => {
    const older = { ...aCloudflare('R2Bucket', { name: 'assets' }, { name: '0' }) }
    const cluster = clusterOf(bucket, older)
    const turn = await turnsOfController(
      world(() => ({})),
      cluster,
    )(KEY, new Date(NOW))
    expect(turn?.notices).toMatchObject([{ reason: 'DuplicateClaim' }])
  })
})
