import { beforeAll, describe, expect, it } from 'vitest'
import { rested } from './at-work.ts'
import { atRest } from './nacos-at-rest.ts'
import { finals } from './nacos-finals.ts'
import { usageGuide } from './nacos-guide.ts'
import { testsOfTheSeed } from './nacos-seed.ts'
import { stateTexts } from './nacos-texts.ts'
import { at, nacosIn, nacosOf, sourceOf } from './nacos-workplace.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'
import { workerSuite } from './worker-suite.ts'

const NAMESPACE = 'nacos-rollouts'
const FLAGS = ['--nacos-min-ready-seconds=1', '--nacos-settle-seconds=0', '--nacos-stuck-seconds=10']
const suite = workerSuite({ namespace: NAMESPACE, nodes: ['nacos-1'], flags: FLAGS })
const { cluster } = suite
const place = nacosIn(cluster, NAMESPACE)
const { apply, events, kubectl, merge, pods, read, remove, running, says, seen } = place
const stage = { suite, place, flags: FLAGS }

/** Of one test each, but started together. */
const STARTED = ['calm', 'named', 'edits', 'stuck', 'again', 'part', 'paused', 'drift', 'fixed']
beforeAll(() => place.started(...STARTED), 180_000)

const setUser = (name: string, text: string) =>
  merge('configmaps', `${name}-user`, { data: { 'user.properties': text } })

describe('the tests of the seed', () => testsOfTheSeed(stage))
describe('the usage guide', () => usageGuide(stage))
describe('every text of conditions and events', () => stateTexts(stage))

it('NC-TST-26, NC-STS-12 Services go on to select the pods of a Nacos with other labels', async () => {
  await merge('nacos', 'named', { metadata: { labels: { app: 'other' } } })
  await rested(suite.worker)
  const service = await read('services', 'named-headless')
  expect(at(service, 'spec', 'selector')).toEqual({ app: 'named', component: 'nacos', middleware: 'nacos' })
  expect(await pods('named')).toHaveLength(3)
}, 120_000)

describe('one rollout', () => {
  it('NC-TST-20, NC-ROL-01 of twenty edits within the time to settle, with the last content', async () => {
    const before = await seen('edits')
    await merge('nacos', 'edits', { metadata: { annotations: { 'nacos.io/config-settle-seconds': '2' } } })
    for (let i = 1; i <= 20; i += 1) await setUser('edits', `a=${i}\n`)
    await until('the last content is out', async () => (await seen('edits')).text.includes('a=20'))
    await running('edits', (await seen('edits')).textDigest)
    expect((await seen('edits')).generation).toBe(Number(before.generation) + 1)
  }, 180_000)

  it('NC-TST-22, NC-ROL-21, NC-ROL-22 that gets stuck is told, and the revert goes out by itself', async () => {
    const before = await seen('stuck')
    expectDone(await cluster.kubectl(['cordon', 'nacos-1']))
    await setUser('stuck', 'a=bad\n')
    await until('it is stuck', async () => (await seen('stuck')).reasons.RolloutComplete === 'Stuck', { seconds: 120 })
    const { digest } = await seen('stuck')
    await says('stuck', [
      'RolloutComplete: 1 of 3 members are updated, 2 are ready',
      `RolloutStuck: no progress towards ${digest} from ${before.digest}; pod stuck-2: Unschedulable`,
    ])
    await setUser('stuck', 'a=1\n')
    expectDone(await cluster.kubectl(['uncordon', 'nacos-1']))
    await running('stuck', String(before.digest))
    expect(await seen('stuck')).toMatchObject({ digest: before.digest, phase: 'Running' })
  }, 300_000)

  it('NC-TST-14, NC-DIG-10 of kubectl rollout restart goes to its end', async () => {
    const before = await seen('again')
    const uids = (await pods('again')).map((pod) => at(pod, 'metadata', 'uid'))
    expectDone(await kubectl('rollout', 'restart', 'statefulset', 'again'))
    await merge('nacos', 'again', { metadata: { annotations: { note: 'x' } } })
    expectDone(await kubectl('rollout', 'status', 'statefulset', 'again', '--timeout=50s'))
    const after = (await pods('again')).map((pod) => at(pod, 'metadata', 'uid'))
    expect(after.filter((uid) => uids.includes(uid))).toEqual([])
    expect((await seen('again')).digest).toBe(before.digest)
  }, 180_000)

  it('NC-STS-03 stops at the partition that a user set, and says so', async () => {
    const updateStrategy = { rollingUpdate: { partition: 2 } }
    await merge('statefulsets', 'part', { spec: { updateStrategy } })
    await setUser('part', 'a=2\n')
    const waits = '1 of 3 members are updated, 3 are ready; partition=2'
    await until('it waits', async () => (await seen('part')).messages.RolloutComplete === waits)
    const set = await read('statefulsets', 'part')
    expect(at(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition')).toBe(2)
    await merge('statefulsets', 'part', { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } })
    await until('it is complete', async () => (await seen('part')).reasons.RolloutComplete === 'Complete')
  }, 180_000)

  it('NC-TST-23, NC-ROL-10, NC-DIG-33 after a pause, in which a pod that crashes comes back with the old content', async () => {
    const { digest, text, generation } = await seen('paused')
    await merge('nacos', 'paused', { metadata: { annotations: { 'nacos.io/config-rollout': 'paused' } } })
    await setUser('paused', 'a=2\n')
    await until('it waits', async () => (await seen('paused')).reasons.RolloutComplete === 'Paused')
    const uid = at(await read('pods', 'paused-1'), 'metadata', 'uid')
    await remove('pods', 'paused-1')
    const isBack = async () => ![uid, undefined].includes(at(await read('pods', 'paused-1'), 'metadata', 'uid'))
    await until('the pod is back', isBack)
    const back = await read('pods', 'paused-1')
    expect(at(back, 'metadata', 'annotations', 'nacos.io/config-digest')).toBe(digest)
    const found = await seen('paused')
    expect(found).toMatchObject({ digest, text, generation })
    const waiting = found.status.pendingConfigDigest
    await says('paused', [
      `ConfigReady: ${waiting} is not rolled out yet`,
      `RolloutComplete: ${waiting} waits for the end of the pause`,
    ])
    await merge('nacos', 'paused', { metadata: { annotations: { 'nacos.io/config-rollout': null } } })
    await running('paused', String(found.status.pendingConfigDigest))
    expect(await seen('paused')).toMatchObject({
      digest: found.status.pendingConfigDigest,
      generation: Number(generation) + 1,
    })
  }, 180_000)
})

describe('a configuration that is held', () => {
  it('NC-TST-16, NC-TST-17 keeps a new Nacos from pods and an old one from restarts, and the next change mends it', async () => {
    await apply(sourceOf('internal', 'held', 'a=1\n'), nacosOf('held'))
    await until('it is held', async () => (await seen('held')).reasons.ConfigReady === 'SourceMissing')
    expect(await seen('held')).toMatchObject({ generation: undefined, phase: 'Creating' })
    await apply(sourceOf('user', 'held', 'b=2\n'))
    await running('held')
    const before = await seen('held')
    expectDone(await kubectl('delete', 'configmap', 'held-user'))
    await until('it is held again', async () => (await seen('held')).reasons.ConfigReady === 'SourceMissing')
    await merge('nacos', 'held', { spec: { replicas: 5 } })
    await until('it scales', async () => (await seen('held')).status.readyReplicas === 5)
    expect(await seen('held')).toMatchObject({ digest: before.digest, replicas: 5, text: before.text })
    await apply(sourceOf('user', 'held', 'b=2\n'))
    await until('it is merged', async () => (await seen('held')).reasons.ConfigReady === 'Merged')
    expect((await seen('held')).digest).toBe(before.digest)
  }, 240_000)

  it('NC-TST-32 and no word of a source comes to logs, events, metrics, refusals or the status', async () => {
    const marker = 'xMARKERx'
    await apply(sourceOf('internal', 'secret', `a=${marker}\n`), sourceOf('user', 'secret', `b=${marker}\n`))
    await apply(nacosOf('secret'))
    await running('secret')
    const data = { 'internal.properties': `a=${marker}\\u12\n` }
    const refusal = await kubectl(
      'patch',
      'configmap',
      'secret-internal',
      '--type=merge',
      '-p',
      JSON.stringify({ data }),
    )
    expect(refusal.stderr).toContain('(NC-ADM-40)')
    await rested(suite.worker)
    const { metrics } = await suite.worker.ready()
    const page = await (await fetch(`${metrics}/metrics`)).text()
    const status = JSON.stringify((await seen('secret')).status)
    const logs = [suite.worker.log(), suite.product.webhook.log()]
    for (const text of [...logs, refusal.stderr, JSON.stringify(await events()), page, status])
      expect(text.includes(marker)).toBe(false)
  }, 120_000)
})

describe('final ConfigMaps', () => finals(stage))
describe('nothing is written', () => atRest(stage))

it.each([true, false])(
  'NC-TST-31 a namespace goes with everything in it, while the webhook is up: %s',
  async (isUp) => {
    const other = nacosIn(cluster, `nacos-gone-${isUp}`)
    expectDone(await cluster.kubectl(['create', 'namespace', other.namespace]))
    await other.started('one')
    if (!isUp) await suite.product.webhook.stop()
    expectDone(await cluster.kubectl(['delete', 'namespace', other.namespace, '--timeout=50s']))
    if (!isUp) await suite.product.webhook.start()
  },
  180_000,
)
