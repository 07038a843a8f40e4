import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { describe, expect, it, onTestFinished } from 'vitest'
import { issueAuthority, issueLeaf } from '../../../certs/authority.ts'
import { MUTATING, VALIDATING } from '../../../certs/ca-bundle.ts'
import type { MemoryCluster } from '../../../src/cluster/memory/memory-cluster.ts'
import { needsOf } from '../../../src/cluster/needs.ts'
import type { Built, Cluster, Gvr } from '../../../src/cluster/port.ts'
import { resource } from '../../../src/cluster/resource.ts'
import { isStored } from '../../../src/cluster/stored.ts'
import { configFrom } from '../../../src/commands/settings.ts'
import { Fault } from '../../../src/faults.ts'
import { configurations } from '../../../src/print/configurations.ts'
import { certSecret } from '../../../src/print/workloads.ts'
import { asCluster, memoryCluster } from '../../../src/process/memory-cluster.ts'
import { metricsOf, PREFIX } from '../../../src/process/metrics.ts'
import { SERVING, serving } from '../../../src/process/reviews.ts'
import { type Ready, started } from '../../../src/process/running.ts'
import { EVENT } from '../../../src/reconcile/action.ts'
import { object } from '../../../src/schema.ts'
import { Meter } from '../../../src/telemetry/metrics.ts'
import { TCONFIG } from '../../../webhooks/tars/tconfig/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aTConfig, DEACTIVATING } from '../../support/builders/configs.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget, aKind } from '../../support/builders/gadgets.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { at } from '../../support/builders/trees.ts'
import { send } from '../../support/http-said.ts'
import { kinds } from '../../support/kinds.ts'
import { notes } from '../../support/notes.ts'
import { certificateAt } from '../../support/peers.ts'
import { reviewsOf } from '../../support/reviews.ts'

const { reads: READS } = needsOf({ kinds }, 'webhook')
const PORTS = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']

/** On a cluster that holds what is installed; stopped with the test. */
function served(args: readonly string[], ...installed: readonly Built[]) {
  const memory = memoryCluster(kinds)
  memory.seed([certSecret('tars-system'), ...installed])
  return { ...servedOn(asCluster(memory, READS), args), memory, stored: storedIn(memory) }
}

function servedOn(cluster: Cluster, args: readonly string[] = [], of = kinds) {
  const config = configFrom({ args: [...PORTS, ...args], env: {}, names: SERVING, readFile: () => ({}) })
  const meter = new Meter(PREFIX)
  const metrics = metricsOf(meter)
  const reloaded = Promise.withResolvers<void>()
  Object.assign(metrics.certReloads, { inc: () => reloaded.resolve() })
  const log = notes()
  const { ready, stop } = started({ config, meter }, serving({ kinds: of, config, cluster, metrics, log }))
  onTestFinished(stop)
  return { ready: ready.then((reported) => ({ address: '', ca: '', ...reported })), log, reloaded: reloaded.promise }
}

function storedIn(memory: MemoryCluster) {
  return async (of: Gvr, name: string) => {
    const { promise, resolve } = Promise.withResolvers<Built | undefined>()
    const following = memory.follow(of, { namespace: '', name }, resolve)
    return promise.finally(() => following.stop())
  }
}

describe('--manage-configurations', () => {
  const installed = configurations(kinds, { namespace: 'tars-system', kubeMinor: 30 }).filter((each) => isStored(each))
  const bundlesIn = (configuration: Built | undefined) =>
    Buffer.from(String(at(configuration, 'webhooks.0.clientConfig.caBundle')), 'base64').toString()

  it('makes the printed configurations trust the certificate that is served, before it is ready', async () => {
    const { ready, stored } = served(['--manage-configurations'], ...installed)
    const ca = readFileSync((await ready).ca, 'utf8')
    expect(bundlesIn(await stored(MUTATING, 'tars-admission-mutating')).trim()).toBe(ca.trim())
    expect(bundlesIn(await stored(VALIDATING, 'tars-admission-validating')).trim()).toBe(ca.trim())
  })
  it('was ready once, and stays so when a bundle is wiped and cannot be mended (SV-11)', async () => {
    const { ready, stored, memory, log } = served(['--manage-configurations'], ...installed)
    const { health } = await ready
    const { replace } = memory
    Object.assign(memory, { patch: () => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'no')) })
    const wiped = installed.find(({ kind }) => kind === MUTATING.kind)
    const { resourceVersion } = (await stored(MUTATING, 'tars-admission-mutating'))?.metadata ?? {}
    await replace.call(memory, MUTATING, { ...wiped, metadata: { name: 'tars-admission-mutating', resourceVersion } })
    await log.until('caBundle not written')
    expect((await fetch(`${health}/readyz`)).status).toBe(200)
  })
  it('leaves them alone when nobody says it', async () => {
    const { ready, stored } = served([], ...installed)
    await ready
    expect(at(await stored(MUTATING, 'tars-admission-mutating'), 'webhooks.0.clientConfig')).not.toHaveProperty(
      'caBundle',
    )
  })
})

describe('as whom we write', () => {
  const marked = aTConfig({ labels: DEACTIVATING, annotations: { 'tars.io/MarkedAt': '2026-01-01T00:00:00Z' } })
  const requested = { path: '/mutating', body: JSON.stringify(reviewsOf(TCONFIG).updateOf(aTConfig(), marked)) }
  const reported = (user: () => Promise<string | undefined>, synced: Promise<void>) => {
    const memory = memoryCluster(kinds)
    memory.seed([certSecret('tars-system')])
    return servedOn({ ...asCluster(memory, READS), user, synced })
  }
  /** In the name of `ann`. */
  const patchOf = async ({ address, ca }: Required<Omit<Ready, 'identity'>>) =>
    at((await send(address, { ...requested, ca: readFileSync(ca, 'utf8') })).body, 'response.patch')
  const never = new Promise<never>(() => {})

  it.each([
    { name: 'that user keeps the time of a mark', user: 'ann', patch: undefined },
    { name: 'any other user loses it', user: 'outside', patch: expect.any(String) },
  ])('$name (TC-M10)', async ({ user, patch }) => {
    const { ready } = reported(async () => user, Promise.resolve())
    expect(await patchOf(await ready)).toEqual(patch)
  })
  it('is asked once; nobody waits for it but the first reviews', async () => {
    const answer = Promise.withResolvers<string>()
    let times = 0
    const user = () => {
      times += 1
      return answer.promise
    }
    const { ready } = reported(user, never)
    const reviews = [patchOf(await ready), patchOf(await ready)]
    await expect.poll(() => times).toBe(1)
    answer.resolve('ann')
    expect(await Promise.all(reviews)).toEqual([undefined, undefined])
    expect(times).toBe(1)
  })
  it('is asked without any review when all is listed, and not to know it keeps nobody from being answered', async () => {
    const { ready, log } = reported(() => Promise.reject(new Fault('CLUSTER_REFUSED', 'no')), Promise.resolve())
    const warnings = () => log.lines.filter(({ level }) => level === 'warn')
    await expect.poll(warnings).toHaveLength(1)
    expect(await patchOf(await ready)).toEqual(expect.any(String))
    expect(warnings()).toHaveLength(1)
  })
})

it('counts the marks that it sets (U-35)', async () => {
  const { ready } = served([], aTConfig({ name: 'v1' }))
  const { address, metrics, ca } = await ready
  const body = JSON.stringify(reviewsOf(TCONFIG).creationOf(aTConfig({ name: 'v2' })))
  expect(await send(address, { body, ca: readFileSync(ca, 'utf8') })).toMatchObject({
    body: { response: { allowed: true } },
  })
  const shown = await (await fetch(`${metrics}/metrics`)).text()
  expect(shown).toContain('tars_admission_marks_total{kind="TConfig",rule="TC-S1",outcome="set"} 1\n')
})

it('writes the events that decisions tell, as the webhook', async () => {
  const about = { of: TTEMPLATE, ref: { namespace: 'demo', name: 'g' }, uid: 'u' }
  const notices = [{ type: 'Warning', reason: 'Seen', message: 'it was seen', about }] as const
  const telling = aKind({ mutate: [{ id: 'XX-M1', says: '', edits: () => ({ edits: [], notices }) }] })
  const memory = memoryCluster([...kinds, telling])
  memory.seed([certSecret('tars-system')])
  const { address, ca } = await servedOn(asCluster(memory, READS), [], [telling]).ready
  const body = JSON.stringify(reviewsOf(GADGET).creationOf(aGadget()))
  await send(address, { path: '/mutating', body, ca: readFileSync(ca, 'utf8') })
  const events = () => memory.list(resource(EVENT, object({})), { namespace: 'demo' })
  await expect.poll(events).toMatchObject([{ reason: 'Seen', source: { component: 'tars-webhook' } }])
})

it('does not start with doors that contradict each other', () => {
  const late = kinds.map((kind) => ({ ...kind, doors: kind.doors.map((door) => ({ ...door, timeoutSeconds: 3 })) }))
  const start = () => servedOn(asCluster(memoryCluster(kinds), READS), [], [...kinds, ...late])
  expect(start).toThrow(/^the doors named \S+ differ in more than their rules: in timeoutSeconds$/)
})

describe('a pair that is renewed', () => {
  it.each(['self', 'secret'])('is taken up while we serve, with --certs %s', async (certs) => {
    const [one, other] = [await secretWith(certs), await secretWith(certs)]
    const { ready, memory, reloaded } = served([`--certs=${certs}`], one.secret)
    const { address } = await ready
    expect((await certificateAt(address, one.ca, SERVICE)).subjectaltname).toContain(SERVICE)
    memory.seed([other.secret])
    await reloaded
    expect((await certificateAt(address, other.ca, SERVICE)).subjectaltname).toContain(SERVICE)
  })
})

it('of a thousand reviews that are allowed, ten are logged (OB-2) and one is checked (SV-8)', async () => {
  const { ready, log } = served([])
  const { address, metrics, ca } = await ready
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const body = JSON.stringify(reviewsOf(TTEMPLATE).creationOf(aTTemplate()))
  const review = { path: '/mutating', body, agent, ca: readFileSync(ca, 'utf8') }
  for (let sent = 0; sent < 1_000; sent += 1) await send(address, review)
  expect(log.lines.filter(({ msg }) => msg === 'reviewed')).toHaveLength(10)
  const checked = 'tars_admission_self_checks_total{kind="TTemplate",result="holds"} 1\n'
  await expect.poll(() => fetch(`${metrics}/metrics`).then((shown) => shown.text())).toContain(checked)
})

describe('the end of what is served', () => {
  it('is a metric, of the pair and of the CA that callers must trust (CT-6)', async () => {
    const { ready } = served([])
    const shown = await (await fetch(`${(await ready).metrics}/metrics`)).text()
    const days = (role: string) => {
      const [, seconds] =
        new RegExp(`^tars_admission_cert_not_after_seconds{role="${role}"} (\\S+)$`, 'm').exec(shown) ?? []
      return Math.round((Number(seconds) - Date.now() / 1_000) / 86_400)
    }
    expect([days('serving'), days('ca')]).toEqual([30, 3 * 365])
  })
})

const SERVICE = 'tars-webhook-service.tars-system.svc'

/** The Secret as it is when somebody has filled it, for a source of this kind. */
async function secretWith(certs: string) {
  const authority = await issueAuthority(new Date())
  const leaf = await issueLeaf(authority, [SERVICE], new Date())
  const content =
    certs === 'self'
      ? { 'ca.crt': authority.cert, 'ca.key': authority.key }
      : { 'ca.crt': authority.cert, 'tls.crt': leaf.cert, 'tls.key': leaf.key }
  const data = Object.fromEntries(
    Object.entries(content).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  )
  return { ca: authority.cert, secret: { ...certSecret('tars-system'), data } }
}
