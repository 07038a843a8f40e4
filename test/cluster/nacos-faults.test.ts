import { describe, expect, it } from 'vitest'
import { rested } from './at-work.ts'
import { at, nacosIn, nacosOf, sourceOf } from './nacos-workplace.ts'
import { until } from './until.ts'
import { workerSuite } from './worker-suite.ts'
import { killedAt, momentsOf, succeed } from './write-proxy.ts'

const NAMESPACE = 'nacos-faults'
const FLAGS = ['--nacos-min-ready-seconds=0', '--nacos-settle-seconds=0']
const DIGEST = '15952a176aa40df0'
const suite = workerSuite({ namespace: NAMESPACE, nodes: ['nacos-1'], flags: FLAGS })
const { all, apply, merge, seen, running } = nacosIn(suite.cluster, NAMESPACE)

/** Phase, three children and the configuration, the labels of two sources, and the status. */
const WRITES = 8

describe('NC-TST-15, NC-DIG-31, NC-DIG-32 kill -9 at every write', () => {
  it.each(momentsOf(WRITES))(
    '$side write $write of a new Nacos: it runs, and no pod restarted for it',
    async ({ write, side }) => {
      const name = `${side}${write}`
      const killed = killedAt({ write, side }, suite)
      await apply(sourceOf('internal', name, 'a=1'), sourceOf('user', name, 'b=2'), nacosOf(name))
      await killed
      await succeed(suite.worker, suite.cluster, ...FLAGS)
      await running(name, DIGEST)
      await rested(suite.worker)
      expect(await seen(name)).toMatchObject({ digest: DIGEST, textDigest: DIGEST, generation: 1 })
    },
    120_000,
  )

  it.each(momentsOf(3))(
    '$side write $write of a changed source: it is rolled out once',
    async ({ write, side }) => {
      const name = `${side}-change-${write}`
      await apply(sourceOf('internal', name, 'a=1'), sourceOf('user', name, 'b=1'), nacosOf(name))
      await running(name)
      await rested(suite.worker)
      const killed = killedAt({ write, side }, suite)
      await apply(sourceOf('user', name, 'b=2'))
      await killed
      await succeed(suite.worker, suite.cluster, ...FLAGS)
      await running(name, DIGEST)
      expect(await seen(name)).toMatchObject({ digest: DIGEST, textDigest: DIGEST, generation: 2 })
    },
    120_000,
  )
})

describe('NC-REC-12 a spec that is stored while the webhook is away', () => {
  const foreign = { name: 'foreign', mountPath: '/home/nacos/conf/application.properties', subPath: 'a' }
  const WRONG = {
    mount: { k8sWrapper: { PodSpec: { containers: [{ name: 'mount', volumeMounts: [foreign] }] } } },
    token: { certification: { enabled: true } },
    variables: { env: [{ name: 'A' }, { name: 'A' }] },
  }
  const RULES = { mount: 'NC-ADM-19', token: 'NC-ADM-26', variables: 'NC-ADM-22', standing: 'NC-ADM-20' }
  const sourcesOf = (name: string) => [sourceOf('internal', name, 'a=1'), sourceOf('user', name, 'b=2')]

  it('has no children, or those that it had, and fails; another Nacos runs', async () => {
    await apply(...sourcesOf('standing'), nacosOf('standing'))
    await running('standing', DIGEST)
    const before = await seen('standing')
    await suite.product.withoutWebhook(async () => {
      await apply(...Object.entries(WRONG).flatMap(([name, spec]) => [...sourcesOf(name), nacosOf(name, spec)]))
      await merge('nacos', 'standing', { spec: { type: 'standalone', replicas: 1 } })
      await apply(...sourcesOf('right'), nacosOf('right'))
      await running('right', DIGEST)
      for (const [name, rule] of Object.entries(RULES))
        await until(`${name} has failed`, async () => isRefused(await seen(name), rule))
    })
    expect(await seen('standing')).toMatchObject({ generation: before.generation, replicas: 3, digest: DIGEST })
    const children = [...(await all('statefulsets')), ...(await all('services'))]
    const owners = children.map((each) => at(at(each, 'metadata', 'labels'), 'app'))
    expect(owners.filter((name) => Object.keys(WRONG).includes(String(name)))).toEqual([])
  }, 180_000)

  const isRefused = ({ phase, reasons, messages }: Awaited<ReturnType<typeof seen>>, rule: string) =>
    phase === 'Failed' && reasons.SpecValid === 'Invalid' && String(messages.SpecValid).includes(`(${rule})`)
})
