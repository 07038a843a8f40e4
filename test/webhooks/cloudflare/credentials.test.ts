import { describe, expect, it } from 'vitest'
import { CloudflareFault } from '../../../src/remote/cloudflare/port.ts'
import type { Tree } from '../../../src/schema.ts'
import { settingsOf } from '../../../src/setting.ts'
import { RemoteAccounts } from '../../../webhooks/cloudflare/access/accounts.ts'
import { credentialsController } from '../../../webhooks/cloudflare/credentials/controller.ts'
import { CREDENTIALS } from '../../../webhooks/cloudflare/credentials/schema.ts'
import { DNS_RECORD } from '../../../webhooks/cloudflare/dnsrecord/schema.ts'
import { ANNOTATIONS } from '../../../webhooks/cloudflare/names.ts'
import { EMAIL, KEY, OTHER_TOKEN } from '../../cloudflare/world.ts'
import { aCloudflare, aSecret } from '../../support/builders/cloudflare.ts'
import { cloudflareWorld } from '../../support/cloudflare-world.ts'
import { clusterOf, NOW } from '../../support/clusters.ts'
import { ScriptedCloudflare } from '../../support/fakes/cloudflare.ts'
import { turnsOfController } from '../../support/turns.ts'

const SECOND = { namespace: '', name: 'second' }
const OWN_SECRET = { secretRef: { name: 'own' } }
const second = (spec: Tree = {}) => aCloudflare('CloudflareCredentials', spec, { name: 'second' })
const secret = (data: Readonly<Record<string, string>>) => aSecret(data, { name: 'own' })

describe('CF-CRD-07 credentials say whether Cloudflare takes them', () => {
  it('with the time and the name of the account, and a second pass writes nothing', async () => {
    await using world = await cloudflareWorld(
      second({ ...OWN_SECRET, accountName: 'shop' }),
      secret({ CLOUDFLARE_API_TOKEN: OTHER_TOKEN }),
    )
    expect(await world.settled()).toMatchObject({ calls: [], reasons: ['Synced'] })
    expect(await world.cluster.get(CREDENTIALS, SECOND)).toMatchObject({
      status: {
        state: 'Ready',
        validated: true,
        lastValidatedTime: '2026-11-18T12:00:00Z',
        accountName: 'shop',
        observedGeneration: 1,
      },
    })
    expect(await world.settled()).toEqual({ writes: [], calls: [], reasons: [] })
  })
  it('by a call that a global key may make', async () => {
    await using world = await cloudflareWorld(
      second({ ...OWN_SECRET, authType: 'globalAPIKey' }),
      secret({ CLOUDFLARE_API_KEY: KEY, CLOUDFLARE_EMAIL: EMAIL }),
    )
    await world.settled()
    expect(await world.ready(CREDENTIALS, SECOND)).toBe('Synced')
  })

  it.each<{ name: string; spec: Tree; data: Readonly<Record<string, string>>; says: string }>([
    { name: 'a Secret that is not there', spec: {}, data: {}, says: 'Secret tars-system/gone is not there' },
    { name: 'a key that is not there', spec: OWN_SECRET, data: {}, says: 'no usable key CLOUDFLARE_API_TOKEN' },
    {
      name: 'a token that is refused',
      spec: OWN_SECRET,
      data: { CLOUDFLARE_API_TOKEN: 'x' },
      says: 'Secret tars-system/own',
    },
    {
      name: 'two defaults',
      spec: { ...OWN_SECRET, isDefault: true },
      data: { CLOUDFLARE_API_TOKEN: OTHER_TOKEN },
      says: 'main and second are both the default',
    },
  ])('$name', async ({ spec, data, says }) => {
    await using world = await cloudflareWorld(second({ secretRef: { name: 'gone' }, ...spec }), secret(data))
    expect((await world.settled()).reasons).toContain('DependencyError')
    expect(await world.ready(CREDENTIALS, SECOND)).toMatch(new RegExp(`^CredentialError: .*${says}`))
    expect(await world.cluster.get(CREDENTIALS, SECOND)).toMatchObject({ status: { state: 'Error', validated: false } })
    expect(await world.settled()).toMatchObject({ writes: [], reasons: [] })
  })

  it('that were taken stay so in an outage', async () => {
    await using world = await cloudflareWorld(second(OWN_SECRET), secret({ CLOUDFLARE_API_TOKEN: OTHER_TOKEN }))
    await world.settled()
    world.double.faults.plan({ method: 'GET', times: 9, do: 'html' })
    expect(await world.settled()).toMatchObject({ reasons: ['APIError'] })
    expect(await world.cluster.get(CREDENTIALS, SECOND)).toMatchObject({ status: { state: 'Error', validated: true } })
  })
})

describe('CF-OWN-12 CF-OWN-14 credentials that are deleted', () => {
  const MAIN = { namespace: '', name: 'main' }
  const A = { namespace: 'demo', name: 'a' }
  const OWN = { namespace: '', name: 'own' }
  const own = () => aCloudflare('CloudflareCredentials', {}, { name: 'own' })
  const record = (spec: Tree = {}) => aCloudflare('DNSRecord', spec)

  it.each([
    { name: 'wait for the last object that uses them as the default', objects: [second(), record()], of: MAIN },
    {
      name: 'wait for the last object that names them',
      objects: [own(), record({ cloudflare: { credentialsRef: { name: 'own' } } })],
      of: OWN,
    },
  ])('$name, which is deleted at Cloudflare by then', async ({ objects, of }) => {
    await using world = await cloudflareWorld(...objects)
    await world.settled({}, 40_000)
    expect(world.zone.records.size).toBe(1)
    await world.cluster.remove(CREDENTIALS, of)
    await world.settled()
    expect(await world.ready(CREDENTIALS, of)).toBe('Deleting: waits for DNSRecord/demo/a')
    await world.cluster.remove(DNS_RECORD, A)
    expect((await world.settled({}, 5_000)).reasons).toContain('FinalizerRemoved')
    expect(world.zone.records.size).toBe(0)
    expect(await world.cluster.get(CREDENTIALS, of)).toBeUndefined()
  })

  it('go at once where nothing uses them', async () => {
    await using world = await cloudflareWorld(second(OWN_SECRET), secret({ CLOUDFLARE_API_TOKEN: OTHER_TOKEN }))
    await world.settled()
    expect(await world.cluster.get(CREDENTIALS, SECOND)).toMatchObject({
      metadata: { finalizers: ['cloudflare.com/credentials-finalizer'] },
    })
    await world.cluster.remove(CREDENTIALS, SECOND)
    expect(await world.settled()).toMatchObject({ reasons: ['FinalizerRemoved'] })
    expect(await world.cluster.get(CREDENTIALS, SECOND)).toBeUndefined()
  })

  it('go at once where an annotation asks for that', async () => {
    await using world = await cloudflareWorld(second(), record())
    await world.settled({}, 5_000)
    await world.cluster.merge(CREDENTIALS, MAIN, { metadata: { annotations: { [ANNOTATIONS.forceDelete]: 'true' } } })
    await world.cluster.remove(CREDENTIALS, MAIN)
    await world.settled()
    expect(await world.cluster.get(CREDENTIALS, MAIN)).toBeUndefined()
  })

  it('name ten of many', async () => {
    const many = Array.from({ length: 12 }, (_, at) =>
      aCloudflare('R2Bucket', { name: `bucket-${at}` }, { name: `b${at}` }),
    )
    await using world = await cloudflareWorld(second(), ...many)
    await world.settled({}, 5_000)
    await world.cluster.remove(CREDENTIALS, MAIN)
    await world.settled()
    expect(await world.ready(CREDENTIALS, MAIN)).toMatch(
      /^Deleting: waits for (R2Bucket.demo.b\d+, ){9}\S+ and 2 more$/,
    )
  })
})

describe('CF-CRD-07 the check of a token', () => {
  const denied = new CloudflareFault('REMOTE_DENIED', 'denied', { httpStatus: 401 })
  const outage = new CloudflareFault('REMOTE_FAILED', 'outage')
  async function checked(spec: Tree, answers: (path: string) => unknown) {
    const cluster = clusterOf(second(spec), aSecret())
    const api = new ScriptedCloudflare(answers)
    const settings = settingsOf({})
    const controller = credentialsController({ accounts: new RemoteAccounts(api, settings), settings, tick: api.tick })
    const turn = turnsOfController(controller, cluster)
    const { notices = [] } = (await turn(SECOND, new Date(NOW))) ?? {}
    const again = await turn(SECOND, new Date(NOW))
    api.now += 1_800_000
    const later = await turn(SECOND, new Date('2026-11-19T12:00:00Z'))
    return { later, told: notices.map(({ message }) => message).join(), again }
  }
  const throwing = (cause: unknown) => {
    throw cause
  }

  it('is answered at one of two places: it is of a user, or of an account', async () => {
    const answers = (path: string) => (path.includes('/user/') ? throwing(denied) : { status: 'active' })
    expect((await checked({}, answers)).told).toMatch(/^Cloudflare takes/)
  })
  it.each([
    { name: 'refused at both', other: denied, told: /denied/ },
    { name: 'in an outage of the other', other: outage, told: /outage/ },
  ])('$name', async ({ other, told }) => {
    expect((await checked({}, (path) => throwing(path.includes('/user/') ? denied : other))).told).toMatch(told)
  })
  it('says that it is expired', async () => {
    expect((await checked({}, () => ({ status: 'expired' }))).told).toMatch(/^the token is expired/)
  })
  it('throws what is no fault of the API', async () => {
    await expect(checked({}, () => throwing(new TypeError('x')))).rejects.toThrow('x')
  })
  it('is not made again before its time', async () => {
    const { again, later } = await checked({}, () => ({ status: 'active' }))
    expect(again).toMatchObject({ actions: [], notices: [] })
    expect(again?.againInMs).toBeGreaterThan(1_000_000)
    expect(later).toMatchObject({ actions: [], notices: [] })
    expect(later?.againInMs).not.toBe(again?.againInMs)
  })
})
