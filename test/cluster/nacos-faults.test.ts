import { describe, expect, it } from 'vitest'
import { rested } from './at-work.ts'
import { nacosIn, nacosOf, sourceOf } from './nacos-workplace.ts'
import { workerSuite } from './worker-suite.ts'
import { killedAt, momentsOf, succeed } from './write-proxy.ts'

const NAMESPACE = 'nacos-faults'
const FLAGS = ['--nacos-min-ready-seconds=0', '--nacos-settle-seconds=0']
const DIGEST = '15952a176aa40df0'
const suite = workerSuite({ namespace: NAMESPACE, nodes: ['nacos-1'], flags: FLAGS })
const { apply, seen, running } = nacosIn(suite.cluster, NAMESPACE)

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
