import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APPROVED, aTDeploy } from '../support/builders/deploys.ts'
import { aTFrameworkConfig } from '../support/builders/framework-configs.ts'
import { aMount, aServant, aTServer } from '../support/builders/servers.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { at } from '../support/builders/trees.ts'
import { MADE, type Plural, rested, workplaceIn } from './at-work.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from './product.ts'
import { until } from './until.ts'

// What reaches a worker although it should not, one namespace for all: what becomes of one server leaves the others alone.

const cluster = theCluster()
const namespace = 'demo'
const LEAVING = 'leaving'
const { audit, byHand, create, exists, list, merge, read, remove } = workplaceIn(cluster, namespace)
let product: Product
let worker: OurProcess<WorkerReady>

async function furnish(home: string): Promise<void> {
  expectDone(await cluster.kubectl(['create', 'namespace', home]))
  for (const object of [aTTemplate({ name: 'base', namespace: home }), aTFrameworkConfig({ namespace: home })])
    expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(object) }))
}
beforeAll(async () => {
  product = await install(cluster)
  for (const home of [namespace, LEAVING]) await furnish(home)
  worker = product.worker()
  await worker.start()
}, 120_000)
afterAll(async () => {
  await cluster.kubectl([
    'delete',
    'validatingadmissionpolicy,validatingadmissionpolicybinding',
    'veto',
    '--ignore-not-found',
  ])
  await cluster.kubectl(['delete', 'namespace', namespace, LEAVING, '--ignore-not-found', '--timeout=55s'])
  await product.uninstall()
}, 180_000)

const soon = (what: string, holds: () => Promise<boolean>, seconds = 30) => until(what, holds, { seconds })
/** The messages of the events of one reason about a server. */
async function told(name: string, reason: string): Promise<string> {
  const events = await list('events', `fieldSelector=reason=${reason},involvedObject.name=${name}`)
  return events.map(({ message }) => message).join('\n')
}
const hears = (name: string, reason: string, words: string) =>
  soon(`${reason} of ${name}: ${words}`, async () => (await told(name, reason)).includes(words))
/** Of the objects that a server has. */
async function made(name: string): Promise<readonly Plural[]> {
  const found = await Promise.all(MADE.map((of) => exists(of, name)))
  return MADE.filter((_, i) => found[i])
}
const isComplete = (name: string) =>
  soon(`all of ${name} is made`, async () => (await made(name)).length === MADE.length)

describe('WR-8 what was stored while the webhook was away, and breaks a rule', () => {
  it('is reported with the id of the rule, and not made; other servers are', async () => {
    const servants = [aServant(), aServant({ name: 'echoObj', port: 10_001 })]
    const hostPorts = [
      { nameRef: 'EchoObj', port: 30_600 },
      { nameRef: 'OtherObj', port: 30_600 },
    ]
    await product.withoutWebhook(async () => {
      await create('tservers', aTServer({ server: 'Twice', servants, labels: {} }))
      const others = [aServant(), aServant({ name: 'OtherObj', port: 10_001 })]
      await create('tservers', aTServer({ server: 'Ports', servants: others, k8s: { hostPorts } }))
      await create('tservers', aTServer({ server: 'Good', labels: {} }))
      await isComplete('demo-good')
      await hears('demo-twice', 'RuleBroken', '(TS-V8)')
      await hears('demo-ports', 'RuleBroken', '(TS-V17)')
    })
    expect(await made('demo-twice')).toEqual(['tendpoints', 'texitedrecords'])
    expect(await made('demo-ports')).toEqual(['services', 'tendpoints', 'texitedrecords'])
  }, 90_000)

  it('is counted by the auditor, by its rule, as long as it stands', async () => {
    await worker.stop()
    const { metrics } = await worker.start()
    const page = async () => (await fetch(`${metrics}/metrics`)).text()
    for (const rule of ['TS-V8', 'TS-V17'])
      await soon(`${rule} is counted`, async () => (await page()).includes(`invariant_violations{type="${rule}"} 1\n`))
    await hears('demo-twice', 'RuleViolated', '(TS-V8)')
  })
})

describe('MP-36, WK-7 a workload that the API server refuses', () => {
  it('by a quota: SyncFailed in its words, a backoff, the rest goes on, and it is made when there is room', async () => {
    const used = String((await list('statefulsets')).length)
    const hard = { 'count/statefulsets.apps': used }
    await create('resourcequotas', { metadata: { name: 'full' }, spec: { hard } })
    await soon('the quota counts', async () => at(await read('resourcequotas', 'full'), 'status.used') !== undefined)
    const writes = audit()
    await create('tservers', aTServer({ server: 'Much' }))
    await hears('demo-much', 'SyncFailed', 'exceeded quota: full')
    await sleep(3_000)
    const refused = writes().filter(({ code }) => code === 403).length
    expect(refused).toBeGreaterThan(1)
    expect(refused, '5 ms, 10 ms, … to 3 s').toBeLessThanOrEqual(12)
    expect(await made('demo-much')).toEqual(['services', 'tendpoints', 'texitedrecords'])
    expect(at(await read('tservers', 'demo-much'), 'status')).toBeDefined()
    await remove('resourcequotas', 'full')
    await isComplete('demo-much')
  })

  it('MP-31, MP-34 as an edit of one that stands: nothing goes until the API server accepts what comes', async () => {
    const name = 'demo-held'
    const uid = async (of: Plural) => at(await read(of, name), 'metadata.uid')
    const edited = (k8s: object) => merge('tservers', name, { spec: { k8s } })
    const claim = aMount({ of: 'persistentVolumeClaimTemplate' })
    const tooLittle = { limits: { cpu: '1' }, requests: { cpu: '2' } }
    await create('tservers', aTServer({ server: 'Held' }))
    await isComplete(name)
    const before = await uid('statefulsets')
    const writes = audit()
    await edited({ mounts: [claim], resources: tooLittle })
    await hears(name, 'SyncFailed', 'must be less than or equal to cpu limit')
    await edited({ daemonSet: true, mounts: null })
    await soon('the DaemonSet is tried', async () =>
      writes().some(({ resource, uri }) => resource === 'daemonsets' && uri.includes('dryRun=All')),
    )
    await sleep(1_000)
    expect(writes().filter(({ verb }) => verb === 'delete')).toEqual([])
    expect(await uid('statefulsets')).toBe(before)
    await edited({ daemonSet: false, mounts: [claim], resources: null })
    await soon('another one stands', async () => ![before, undefined].includes(await uid('statefulsets')))
    expect(await told(name, 'Recreated')).toContain('claim templates added')
  })

  it('by the admission of others: no StatefulSet without its Service', async () => {
    const api = '/apis/admissionregistration.k8s.io/v1'
    const services = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['services'] }
    const spec = {
      matchConstraints: { resourceRules: [services] },
      validations: [{ expression: "object.metadata.name != 'demo-vetoed'", message: 'not in this cluster' }],
    }
    const binding = { policyName: 'veto', validationActions: ['Deny'] }
    await cluster.request('POST', `${api}/validatingadmissionpolicies`, { metadata: { name: 'veto' }, spec })
    await cluster.request('POST', `${api}/validatingadmissionpolicybindings`, {
      metadata: { name: 'veto' },
      spec: binding,
    })
    const probe = { metadata: { name: 'demo-vetoed' }, spec: { ports: [{ port: 1 }] } }
    await soon('the policy counts', async () => {
      const { status } = await cluster.request('POST', `/api/v1/namespaces/${namespace}/services?dryRun=All`, probe)
      return status === 422
    })
    await create('tservers', aTServer({ server: 'Vetoed' }))
    await hears('demo-vetoed', 'SyncFailed', 'not in this cluster')
    expect(await made('demo-vetoed')).toEqual(['tendpoints', 'texitedrecords'])
    expectDone(await cluster.kubectl(['delete', 'validatingadmissionpolicybinding', 'veto']))
    await isComplete('demo-vetoed')
  })
})

describe('TS-R6 a name that is taken', () => {
  it.each([
    ['services', { ports: [{ port: 1 }] }, ['services', 'tendpoints', 'texitedrecords']],
    [
      'statefulsets',
      { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } } }, serviceName: 'x' },
      MADE,
    ],
  ] as const)('by foreign %s: OutControl, and they stay as they are', async (of, spec, there) => {
    const server = `Taken${of}`
    const name = `demo-taken${of}`
    const container = { name: 'other', image: 'registry.example/other' }
    const template = {
      ...('template' in spec && { template: { ...spec.template, spec: { containers: [container] } } }),
    }
    await create(of, { metadata: { name }, spec: { ...spec, ...template } })
    const { spec: before, metadata } = await read(of, name)
    await create('tservers', aTServer({ server }))
    await hears(name, 'OutControl', `${name} is not controlled by this TServer`)
    await soon('the rest is made', async () => (await made(name)).length === there.length)
    const { spec: after } = await read(of, name)
    expect(after).toEqual(before)
    expect(at(await read(of, name), 'metadata.labels')).toEqual(at(metadata, 'labels'))
    expect(at(await read(of, name), 'metadata.ownerReferences')).toBeUndefined()
  })

  it('an owned object without its labels is found by name and owner, also after a restart (WK-12)', async () => {
    await isComplete('demo-good')
    await worker.stop()
    const bare = { metadata: { labels: { 'tars.io/ServerApp': null, 'tars.io/ServerName': null } } }
    const uids = await Promise.all(MADE.map(async (of) => at(await read(of, 'demo-good'), 'metadata.uid')))
    for (const of of MADE)
      expectDone(await byHand('patch', `${of}/demo-good`, '--type=merge', '-p', JSON.stringify(bare)))
    await worker.start()
    for (const of of MADE)
      await soon(`the ${of} have their labels`, async () =>
        JSON.stringify(at(await read(of, 'demo-good'), 'metadata.labels') ?? {}).includes(
          '"tars.io/ServerName":"Good"',
        ),
      )
    expect(await Promise.all(MADE.map(async (of) => at(await read(of, 'demo-good'), 'metadata.uid')))).toEqual(uids)
  })
})

describe('WK-9 the webhook is away', () => {
  it('what need not ask it goes on, and what must is refused in its words, until it is back', async () => {
    await isComplete('demo-good')
    await worker.stop()
    await create('tdeploys', aTDeploy({ name: 'later', apply: { server: 'Later' } }))
    await merge('tdeploys', 'later', { approve: APPROVED })
    await product.webhook.stop()
    try {
      await merge('services', 'demo-good', { spec: { selector: { 'tars.io/ServerName': 'Other' } } })
      for (const of of ['statefulsets', 'tendpoints', 'texitedrecords'] as const) await remove(of, 'demo-good')
      await worker.start()
      await isComplete('demo-good')
      const selector = async () => JSON.stringify(at(await read('services', 'demo-good'), 'spec.selector'))
      await soon('the Service is repaired', async () => (await selector()).includes('"Good"'))
      await hears('later', 'DeployFailed', 'failed calling webhook')
      expect(await exists('tservers', 'demo-later')).toBe(false)
    } finally {
      await product.webhook.start()
    }
    await isComplete('demo-later')
    await soon('it is deployed', async () => (await read('tdeploys', 'later')).deployed === true)
  }, 90_000)
})

describe('WK-11 a namespace that terminates', () => {
  it('goes, and hardly a write is refused, nor is any reported', async () => {
    const leaving = workplaceIn(cluster, LEAVING)
    const servers = Array.from({ length: 10 }, (_, i) => `Leaver${i}`)
    for (const server of servers) await leaving.create('tservers', aTServer({ server, namespace: LEAVING }))
    await soon('all are made', async () => (await leaving.list('statefulsets')).length === servers.length)
    await rested(worker)
    const writes = leaving.audit()
    const began = performance.now()
    expectDone(await cluster.kubectl(['delete', 'namespace', LEAVING, '--timeout=55s']))
    await rested(worker)
    const codes = writes().flatMap(({ code }) => (code >= 400 ? [code] : []))
    const forbidden = codes.filter((code) => code === 403)
    const asked = Math.ceil((performance.now() - began) / 5_000)
    expect(forbidden.length, '16 in flight, then one each 5 s').toBeLessThanOrEqual(16 + asked)
    expect(codes.length - forbidden.length, 'on what is gone').toBeLessThanOrEqual(servers.length)
    expect(worker.log()).not.toContain('a controller has thrown')

    await furnish(LEAVING)
    await leaving.create('tservers', aTServer({ server: 'Leaver0', namespace: LEAVING }))
    await soon('it has all in the next namespace', async () => (await leaving.list('statefulsets')).length === 1, 15)
  }, 120_000)
})
