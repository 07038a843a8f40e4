import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Built, Refused } from '../../../../src/cluster/port.ts'
import { Fault } from '../../../../src/faults.ts'
import { type CloudflareCall, CloudflareFault } from '../../../../src/remote/cloudflare/port.ts'
import { isTree, type Tree } from '../../../../src/schema.ts'
import { settingsOf } from '../../../../src/setting.ts'
import { type AccountDetails, RemoteAccounts } from '../../../../webhooks/cloudflare/access/accounts.ts'
import { SECRET } from '../../../../webhooks/cloudflare/access/secrets.ts'
import { aCloudflare, aSecret, base64 } from '../../../support/builders/cloudflare.ts'
import { clusterOf } from '../../../support/clusters.ts'
import { ScriptedCloudflare } from '../../../support/fakes/cloudflare.ts'
import { UNREACHABLE } from '../../../support/fakes/readers.ts'

const CALL: CloudflareCall<Tree> = { method: 'GET', path: '/accounts/{account}/things/{id}', is: isTree }
const LIST: CloudflareCall<readonly Tree[]> = { method: 'GET', path: '/things', is: (_): _ is readonly Tree[] => true }
const credentials = (name: string, spec: Tree = {}) => aCloudflare('CloudflareCredentials', spec, { name })
const DEFAULT = credentials('main', { isDefault: true })
const TOKEN = aSecret({ CLOUDFLARE_API_TOKEN: 'first' })

interface Wishes {
  readonly objects: readonly Built[]
  readonly answers?: () => unknown
}
function world({ objects, answers = () => ({}) }: Wishes) {
  const cluster = clusterOf(...objects)
  const api = new ScriptedCloudflare(answers)
  const accounts = new RemoteAccounts(api, settingsOf({}))
  const readers = { cached: cluster, live: cluster }
  /** The account as text, or why there is none. */
  const found = async (details: AccountDetails = {}) => {
    const account = await accounts.of(details, readers)
    return 'message' in account ? `${account.reason}: ${account.message}` : `${account.id} by ${account.credentials}`
  }
  const usable = async (details: AccountDetails = {}) => {
    const account = await accounts.of(details, readers)
    if ('message' in account) throw new Error(account.message)
    return account
  }
  return { cluster, api, accounts, found, usable }
}

describe('CF-CRD-07 the account of an object', () => {
  it.each<{ name: string; objects: readonly Built[]; details?: AccountDetails; account: string }>([
    {
      name: 'of the credentials that it names',
      objects: [credentials('own'), TOKEN],
      details: ref('own'),
      account: 'acc by own',
    },
    { name: 'of the default ones', objects: [credentials('own'), DEFAULT, TOKEN], account: 'acc by main' },
    { name: 'that it names itself', objects: [DEFAULT, TOKEN], details: { accountId: 'x' }, account: 'x by main' },
    {
      name: 'with a Secret in another namespace',
      objects: [
        credentials('own', { secretRef: { name: 's', namespace: 'demo' } }),
        aSecret({ CLOUDFLARE_API_TOKEN: 't' }, { name: 's', namespace: 'demo' }),
      ],
      details: ref('own'),
      account: 'acc by own',
    },
  ])('$name', async ({ objects, details, account }) => {
    expect(await world({ objects }).found(details)).toBe(account)
  })

  it.each<{ name: string; objects: readonly Built[]; details?: AccountDetails; says: string }>([
    {
      name: 'credentials',
      objects: [DEFAULT, TOKEN],
      details: ref('own'),
      says: 'CloudflareCredentials own is not there; create it',
    },
    { name: 'default', objects: [credentials('own'), TOKEN], says: 'no CloudflareCredentials is the default' },
    {
      name: 'single default',
      objects: [DEFAULT, credentials('b', { isDefault: true }), TOKEN],
      says: 'CloudflareCredentials b and main are both the default',
    },
    { name: 'Secret', objects: [DEFAULT], says: 'Secret tars-system/cloudflare is not there; create it' },
    {
      name: 'key',
      objects: [DEFAULT, aSecret({ other: 'x' })],
      says: 'Secret tars-system/cloudflare has no usable key CLOUDFLARE_API_TOKEN',
    },
    {
      name: 'value that a header can have',
      objects: [DEFAULT, aSecret({ CLOUDFLARE_API_TOKEN: 'a b' })],
      says: 'no usable key CLOUDFLARE_API_TOKEN',
    },
    {
      name: 'address of a key',
      objects: [
        credentials('main', { isDefault: true, authType: 'globalAPIKey' }),
        aSecret({ CLOUDFLARE_API_KEY: 'k' }),
      ],
      says: 'no usable key CLOUDFLARE_EMAIL',
    },
    {
      name: 'global key',
      objects: [credentials('main', { isDefault: true, authType: 'globalAPIKey' }), aSecret({ CLOUDFLARE_EMAIL: 'k' })],
      says: 'no usable key CLOUDFLARE_API_KEY',
    },
    {
      name: 'credentials but a Secret of its own',
      objects: [DEFAULT, TOKEN],
      details: { secret: 's' },
      says: 'spec.cloudflare.secret is not read',
    },
  ])('none without $name', async ({ objects, details, says }) => {
    expect(await world({ objects }).found(details)).toMatch(new RegExp(`^CredentialError: .*${says}`))
  })

  it('none by the name of an account that the credentials do not have', async () => {
    expect(await world({ objects: [DEFAULT, TOKEN] }).found({ accountName: 'x' })).toMatch(
      /^InvalidConfig: .*name accountId/,
    )
    const named = credentials('main', { isDefault: true, accountName: 'x' })
    expect(await world({ objects: [named, TOKEN] }).found({ accountName: 'x' })).toBe('acc by main')
  })

  it('none of incomplete credentials', async () => {
    const incomplete = credentials('own', { secretRef: null })
    expect(await world({ objects: [incomplete] }).found(ref('own'))).toBe(
      'CredentialError: CloudflareCredentials own is not complete',
    )
  })
})

describe('CF-CRD-07 many credentials', () => {
  it('are kept for the thousand that objects named last, and the others are looked up again', async () => {
    const named = Array.from({ length: 1_001 }, (_, at) => `c${at}`)
    const { accounts, cluster, found } = world({ objects: [...named.map((name) => credentials(name)), TOKEN] })
    for (const name of named) await accounts.refOf(ref(name), cluster)
    const at = (name: string) => accounts.at({ id: 'acc', credentials: name }, cluster)
    expect(await at('c1')).toMatchObject({ credentials: 'c1' })
    expect(await at('c0')).toMatchObject({ reason: 'CredentialError' })
    expect(await found(ref('c0'))).toBe('acc by c0')
  })
})

describe('CF-CRD-07 the Secret', () => {
  const SECOND = { data: { CLOUDFLARE_API_TOKEN: base64('second\n') } }
  const OF_SECRET = { namespace: 'tars-system', name: 'cloudflare' }

  it('is read at use, by its name, and kept for 60 s at most', async () => {
    const { api, cluster, usable } = world({ objects: [DEFAULT, TOKEN] })
    const ask = async () => (await usable()).ask(CALL, { params: { id: '1' } })
    await ask()
    await cluster.merge(SECRET, OF_SECRET, SECOND)
    api.now = 59_999
    await ask()
    api.now = 60_000
    await ask()
    expect(api.accesses).toEqual([{ token: 'first' }, { token: 'first' }, { token: 'second' }])
    expect(api.asked[0]).toBe('GET /accounts/acc/things/1')
  })

  it('is read at once when Cloudflare does not take it, and the fault names it without its value', async () => {
    const { api, cluster, usable } = world({ objects: [DEFAULT, TOKEN], answers: denying })
    const account = await usable()
    const denied = await account.list(LIST).catch((cause: unknown) => cause)
    expect(denied).toMatchObject({
      message: 'no (CloudflareCredentials main, Secret tars-system/cloudflare)',
      codes: [9109],
    })
    await cluster.merge(SECRET, OF_SECRET, SECOND)
    await (await usable()).list(LIST).catch(() => undefined)
    expect(api.accesses).toEqual([{ token: 'first' }, { token: 'second' }])
    expect(inspect([account, denied], { depth: 9, showHidden: true })).not.toContain('first')
  })

  it('that is not there is looked for each time', async () => {
    const { cluster, found } = world({ objects: [DEFAULT] })
    expect(await found()).toContain('not there')
    await cluster.create(SECRET, TOKEN)
    expect(await found()).toBe('acc by main')
  })

  it('that may not be read asks for a RoleBinding, and an API server that is away is a fault', async () => {
    const { accounts, cluster } = world({ objects: [DEFAULT] })
    const forbidden = new Fault('CLUSTER_UNREACHABLE', 'no', {
      cause: new Refused({ code: 403, reason: '', message: '' }),
    })
    const refusing = { ...UNREACHABLE, get: () => Promise.reject(forbidden) }
    expect(await accounts.of({}, { cached: cluster, live: refusing })).toMatchObject({
      reason: 'CredentialError',
      message: expect.stringContaining('RoleBinding'),
    })
    await expect(accounts.of({}, { cached: cluster, live: UNREACHABLE })).rejects.toThrow('out of reach')
  })

  it('is not asked for a fault of another kind', async () => {
    const { usable } = world({ objects: [DEFAULT, TOKEN], answers: () => 'no tree' })
    await expect((await usable()).ask(CALL, { params: { id: '1' } })).rejects.toMatchObject({ code: 'REMOTE_FAILED' })
  })
})

function ref(name: string): AccountDetails {
  return { credentialsRef: { name } }
}
function denying(): never {
  throw new CloudflareFault('REMOTE_DENIED', 'no', { httpStatus: 403, codes: [9109] })
}
