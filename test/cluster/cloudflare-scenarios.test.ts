import { describe, expect, it } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import { idIn } from '../cloudflare/world.ts'
import { type AuditedCall, auditOf } from './audited.ts'
import { SYSTEM } from './cloudflare-account.ts'
import {
  API_RECORD,
  anIngress,
  CLASS,
  EXISTING_TUNNEL,
  MAIN_TUNNEL,
  TWO_INGRESSES,
  WEB_APP,
} from './cloudflare-manifests.ts'
import { cloudflareSuite, hostnamesOf, stepsInto } from './cloudflare-place.ts'
import { expectDone, WORKER } from './product.ts'
import { until } from './until.ts'
import { succeedIn } from './write-proxy.ts'

const suite = cloudflareSuite('default')
const { apply, configMap, done, isGone, kubectl, object, puts } = suite
const asked = auditOf(suite.cluster.auditLog, { ...WORKER, namespace: SYSTEM })
const RECORD = ['dnsrecord', 'api-record'] as const

/** The id of a ClusterTunnel, as soon as it has one. */
async function tunnelId(): Promise<string> {
  const id = async () => stepsInto(await object('clustertunnel', 'main-tunnel'), 'status', 'tunnelId')
  await until('the tunnel has an id', async () => Boolean(await id()))
  return String(await id())
}
const lastSent = (id: string) => puts(id).at(-1)?.config ?? {}
const sentTo = (id: string, ...hostnames: readonly string[]) =>
  until(`Cloudflare has ${hostnames.join(', ') || 'the fallback alone'}`, () => {
    const last = puts(id).at(-1)
    return last?.status === 200 && String(hostnamesOf(last.config)) === String(hostnames)
  })

describe('CF-TST-06 scenario 1: two Ingresses of one tunnel', () => {
  it('are gathered in one ConfigMap, and each goes alone', async () => {
    await apply([CLASS, MAIN_TUNNEL].join('\n---\n'))
    const id = await tunnelId()
    await apply(TWO_INGRESSES)
    await sentTo(id, 'app-a.example.com', 'app-b.example.com')
    expect(lastSent(id).ingress).toMatchObject([
      { hostname: 'app-a.example.com', service: 'http://app-a.default.svc:80' },
      { hostname: 'app-b.example.com', service: 'http://app-b.default.svc:80' },
      { service: 'http_status:404' },
    ])
    const addresses = async () => stepsInto(await object('ingress', 'app-a'), 'status', 'loadBalancer', 'ingress')
    await until('an Ingress has its address', async () => (await addresses()) !== undefined)
    expect(await addresses()).toEqual([{ hostname: `${id}.cfargotunnel.com` }])
    const keys = async () => Object.keys((await configMap(id))?.sources ?? {}).toSorted()
    expect(await keys()).toEqual(['ClusterTunnel/main-tunnel', 'Ingress/default/app-a', 'Ingress/default/app-b'])
    await done('delete', 'ingress', 'app-a')
    await sentTo(id, 'app-b.example.com')
    expect(await keys()).toEqual(['ClusterTunnel/main-tunnel', 'Ingress/default/app-b'])
    await done('delete', 'ingress', 'app-b')
    await sentTo(id)
    expect(lastSent(id).ingress).toEqual([{ service: 'http_status:404' }])
    await done('delete', 'clustertunnel', 'main-tunnel')
    first = id
  }, 180_000)
})
/** Its ConfigMap goes with it as soon as the garbage collector knows its kind, which takes a while. */
let first = ''

describe('CF-TST-07 scenario 2: the settings of a tunnel', () => {
  const made = { tunnel: MAIN_TUNNEL, left: 'TunnelGone' } as const
  const there = { tunnel: EXISTING_TUNNEL, left: 'Synced' } as const
  it.each([
    { name: 'in the background, of a tunnel that was made', ...made, cascade: 'background' },
    { name: 'in the foreground, of a tunnel that was made', ...made, cascade: 'foreground' },
    { name: 'in the background, of a tunnel that was there', ...there, cascade: 'background' },
    { name: 'in the foreground, of a tunnel that was there', ...there, cascade: 'foreground' },
  ])(
    'go with a deletion $name, and the rules stay',
    async ({ tunnel, left, cascade }) => {
      await anExistingTunnel()
      await apply([tunnel, WEB_APP].join('\n---\n'))
      const id = await tunnelId()
      await sentTo(id, 'web.example.com')
      await until('its settings are sent', () => warpOf(lastSent(id)) === true)
      const { sources = {} } = (await configMap(id)) ?? {}
      expect(sources).toMatchObject({
        'ClusterTunnel/main-tunnel': { priority: 10, settings: { warpRouting: true } },
        'Ingress/default/web-app': { priority: 100 },
      })
      await until('the ConfigMap has its owner', async () => (await configMap(id))?.owners === 1)
      const before = puts(id).length
      await done('delete', 'clustertunnel', 'main-tunnel', `--cascade=${cascade}`)
      await until('the rules are left', async () => {
        const found = await configMap(id)
        return found?.owners === 0 && String(Object.keys(found.sources)) === 'Ingress/default/web-app'
      })
      await until(`its state is ${left}`, async () => (await configMap(id))?.status === left)
      const sent = puts(id).slice(before)
      expect(sent.map(({ config }) => hostnamesOf(config))).toEqual(sent.map(() => ['web.example.com']))
      expect(sent.at(-1)).toMatchObject({ config: { 'warp-routing': { enabled: false } } })
      expect(Boolean(suite.there.world.account.tunnels.get(id)?.deleted_at)).toBe(left === 'TunnelGone')
      await done('delete', 'ingress', 'web-app')
      await until('the ConfigMap is gone', async () => (await configMap(id)) === undefined)
    },
    180_000,
  )
})
const warpOf = (config: Tree) => stepsInto(config, 'warp-routing', 'enabled')

async function anExistingTunnel(): Promise<void> {
  const { ask, account } = suite.there.world
  const isThere = [...account.tunnels.values()].some(({ name }) => name === 'existing')
  if (!isThere) await ask('POST', `/accounts/${account.id}/cfd_tunnel`, { name: 'existing', config_src: 'cloudflare' })
}

describe('CF-TST-08 scenario 3: a DNS record', () => {
  const remote = () => [...suite.there.world.zone.records.values()]
  const aRemote = async (comment: string) => {
    const { ask, records } = suite.there.world
    return idIn(
      await ask('POST', records, { name: 'api.example.com', type: 'CNAME', content: 'old.example.net', comment }),
    )
  }
  const ready = async (name: string = RECORD[1]) => {
    const conditions = stepsInto(await object('dnsrecord', name), 'status', 'conditions')
    const found = Array.isArray(conditions) ? conditions.find(({ type }) => type === 'Ready') : undefined
    return isTree(found) ? `${found.reason}: ${found.message}` : ''
  }
  const createdAt = async () => Date.parse(String(stepsInto(await object(...RECORD), 'metadata', 'creationTimestamp')))
  const isReady = (words: string, name?: string) =>
    until(`it is ${words}`, async () => (await ready(name)).includes(words))

  it('is marked, refuses a second claim, and goes with its object', async () => {
    await apply(API_RECORD)
    await isReady('Synced')
    expect(remote()).toMatchObject([{ comment: '[managed-by:DNSRecord/default/api-record]' }])
    const second = API_RECORD.replace('name: api-record', 'name: second')
    const { code, stderr } = await suite.cluster.kubectl(['create', '-f', '-'], { stdin: second })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('CNAME api.example.com is already claimed by DNSRecord/default/api-record'),
    ])
    await done('delete', ...RECORD)
    expect(remote()).toEqual([])
  })
  it('that was there without a mark is a conflict, until it is taken over', async () => {
    await aRemote('by hand')
    const before = remote()
    await apply(API_RECORD)
    await isReady('AdoptionConflict')
    expect(remote()).toEqual(before)
    await done('annotate', ...RECORD, 'cloudflare-operator.io/adoption-policy=IfExists')
    await isReady('Synced')
    expect(remote()).toMatchObject([
      { id: before[0]?.id, comment: '[managed-by:DNSRecord/default/api-record]', content: 'tunnel.cfargotunnel.com' },
    ])
    await done('delete', ...RECORD)
    expect(remote()).toEqual([])
  })
  it('of another owner stays, also when the object goes', async () => {
    await aRemote('[managed-by:DNSRecord/default/other]')
    const before = remote()
    await apply(API_RECORD)
    await isReady('ManagedByAnother')
    expect(await ready()).toContain('managed by DNSRecord/default/other')
    await done('delete', ...RECORD)
    expect(remote()).toEqual(before)
    suite.there.world.zone.records.clear()
  })
  it('of two that were created while the webhook was away the older one wins', async () => {
    await suite.there.product.withoutWebhook(async () => {
      await apply(API_RECORD)
      await isReady('Synced')
      await until('the next one is younger by a second', async () => Date.now() - (await createdAt()) >= 1_000)
      await apply(API_RECORD.replace('name: api-record', 'name: a-later-one'))
      await isReady('DuplicateClaim', 'a-later-one')
    })
    expect(remote()).toMatchObject([{ comment: '[managed-by:DNSRecord/default/api-record]' }])
    await done('delete', 'dnsrecord', '--all')
  }, 120_000)
})

describe('what is sent', () => {
  it('CF-TST-10 a source that comes while a PUT hangs is in the next one', async () => {
    const { faults } = suite.there.world.double
    await apply(MAIN_TUNNEL)
    const id = await tunnelId()
    await sentTo(id)
    faults.plan({ method: 'PUT', do: 'hold' })
    await apply(anIngress('app-a', 'app-a.example.com'))
    await until('the PUT hangs', () => faults.held === 1)
    await apply(anIngress('app-b', 'app-b.example.com'))
    await withExternal(id)
    faults.release()
    await sentTo(id, 'app-a.example.com', 'app-b.example.com', 'by-hand.example.com')
    expect(hostnamesOf(puts(id)[1]?.config ?? {})).toEqual(['app-a.example.com'])
    const { sources = {} } = (await configMap(id)) ?? {}
    expect(Object.keys(sources)).toContain('External/by-hand')
    await done('delete', 'ingress', '--all')
    await done('delete', 'clustertunnel', 'main-tunnel')
    await isGone('clustertunnel', 'main-tunnel')
    await remove(`tunnel-config-${id}`)
  })

  it('CF-TST-19 never lacks a hostname: ConfigMap deleted, worker restarted on slow lists, tunnel deleted', async () => {
    const { flags, proxy, worker } = suite.there
    const names = Array.from({ length: MANY }, (_, i) => `many-${String(i).padStart(2, '0')}`)
    const hostnames = names.map((name) => `${name}.example.com`)
    await anExistingTunnel()
    await apply([EXISTING_TUNNEL, ...names.map((name) => anIngress(name, `${name}.example.com`))].join('\n---\n'))
    const id = await tunnelId()
    await sentTo(id, ...hostnames)
    const before = puts(id).length
    const stored = async () => Object.keys((await configMap(id))?.sources ?? {}).length
    await remove(`tunnel-config-${id}`)
    await until('the ConfigMap is back', async () => (await stored()) === MANY + 1)
    await worker.stop('SIGKILL')
    await remove(`tunnel-config-${id}`)
    proxy.slow('/apis/networking.k8s.io/v1/ingresses', 3_000)
    await succeedIn(SYSTEM, worker, suite.cluster, ...flags)
    await until('the ConfigMap is back', async () => (await stored()) === MANY + 1)
    await until('it has its owner', async () => (await configMap(id))?.owners === 1)
    await done('delete', 'clustertunnel', 'main-tunnel', '--cascade=foreground')
    await until('the sources are left', async () => (await stored()) === MANY)
    await until('its settings are gone', () => warpOf(lastSent(id)) === false)
    const sent = puts(id).slice(before)
    expect(sent.map(({ config }) => hostnamesOf(config).length)).toEqual(sent.map(() => MANY))
    expect((await kubectl('get', 'clustertunnel')).stdout).toBe('')
  }, 180_000)
})
const MANY = 50
const remove = async (configMap: string) =>
  expectDone(await suite.cluster.kubectl(['delete', 'configmap', configMap, `--namespace=${SYSTEM}`]))

it('CF-TST-06 the ConfigMap of a tunnel has gone with it, and its last source', async () => {
  expect(first).not.toBe('')
  await until('the ConfigMap is gone', async () => (await configMap(first)) === undefined)
}, 120_000)

async function withExternal(id: string): Promise<void> {
  const path = `/api/v1/namespaces/${SYSTEM}/configmaps/tunnel-config-${id}`
  const text = stepsInto(await suite.read(path), 'data', 'config.json')
  const content: unknown = JSON.parse(typeof text === 'string' ? text : '{}')
  const rules = [{ hostname: 'by-hand.example.com', service: 'http://by-hand:80' }]
  const sources = {
    ...Object(stepsInto(content, 'sources')),
    'External/by-hand': { kind: 'External', name: 'by-hand', rules },
  }
  const data = { 'config.json': JSON.stringify({ ...Object(content), sources }) }
  const contentType = 'application/merge-patch+json'
  expect(await suite.cluster.request('PATCH', path, { data }, { contentType })).toMatchObject({ status: 200 })
}

/** For some seconds an API server refuses owners of a kind that is new to it, with 403 as well. */
it('the printed rights of the worker are enough for all of it (SC-2)', () => {
  const calls = asked()
  const right = ({ verb, resource }: AuditedCall) => `${verb} ${resource}`
  const used = new Set(calls.filter(({ code }) => code < 300).map(right))
  const refused = new Set(calls.filter(({ code }) => code === 403).map(right))
  expect([...refused.difference(used)]).toEqual([])
  expect(used).toContain('patch ingresses/status')
})
