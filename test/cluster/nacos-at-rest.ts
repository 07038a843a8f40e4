import { afterAll, beforeAll, expect, it } from 'vitest'
import { isTree } from '../../src/schema.ts'
import { inLanes } from '../support/lanes.ts'
import { rested, turnsOf } from './at-work.ts'
import { auditOf } from './audited.ts'
import { at, type NacosStage, nacosIn, nacosOf, plainSources } from './nacos-workplace.ts'
import { expectDone, type OurProcess, WORKER, type WorkerReady } from './product.ts'
import { until } from './until.ts'

const PASSES = 100
const MANY = 200
const LANES = 8

/** What is written for nothing: nothing. */
export function atRest({ suite, place, flags }: NacosStage): void {
  const { audit, merge, read, replace, seen } = place

  it('NC-TST-13, NC-DIG-12 by edits that change no configuration, and in 100 passes', async () => {
    const { generation, digest, text } = await seen('calm')
    const calls = audit()
    await merge('nacos', 'calm', { metadata: { labels: { team: 'edge' }, annotations: { note: 'x' } } })
    await replace('nacos', 'calm', turned(await read('nacos', 'calm')))
    await merge('configmaps', 'calm-user', { metadata: { labels: { team: 'edge' } } })
    await merge('configmaps', 'calm-user', { data: { other: 'x' } })
    await replace('configmaps', 'calm-user', turned(await read('configmaps', 'calm-user')))
    await merge('configmaps', 'calm-user', { data: { 'user.properties': 'a=1\r\n' } })
    await rested(suite.worker)
    expect(calls().filter(({ resource }) => resource === 'nacos/status').length).toBeLessThanOrEqual(1)
    const later = audit()
    for (let pass = 1; pass <= PASSES; pass += 1) await passed(String(pass))
    expect(later()).toEqual([])
    expect(await seen('calm')).toMatchObject({ generation, digest, text, phase: 'Running' })
  }, 180_000)

  /** Its source is told of again, and read again: the metrics say so a second later. */
  async function passed(pass: string): Promise<void> {
    const calls = auditOf(suite.cluster.auditLog, WORKER)
    await merge('configmaps', 'calm-user', { metadata: { annotations: { pass } } })
    const isRead = () => calls().some(({ verb, name }) => verb === 'get' && name === 'calm-user')
    await until('it had a turn', isRead)
  }

  const many = nacosIn(suite.cluster, 'nacos-many')
  beforeAll(async () => {
    expectDone(await suite.cluster.kubectl(['create', 'namespace', many.namespace]))
    await many.apply(...plainSources('shared'))
    const names = Array.from({ length: MANY }, (_, i) => `many-${i}`)
    await inLanes(names, LANES, (name) => many.create('nacos', oneOf(name)))
    const run = async () => (await many.all('nacos')).filter((each) => at(each, 'status', 'phase') === 'Running')
    await until('all of them run', async () => (await run()).length === MANY, { seconds: 180 })
    await rested(suite.worker)
  }, 240_000)
  afterAll(async () => {
    const remove = ['delete', 'namespace', many.namespace, '--wait=false']
    expectDone(await suite.cluster.kubectl(remove))
    const wait = ['wait', '--for=delete', `namespace/${many.namespace}`, '--timeout=50s']
    await until('they are gone', async () => (await suite.cluster.kubectl(wait)).code === 0, { seconds: 170 })
  }, 180_000)

  it('NC-TST-13, NC-DIG-05 by a second full pass of 200 Nacos, nor by that of another worker', async () => {
    const before = await generations()
    const calls = many.audit()
    await suite.worker.stop()
    await suite.worker.start(...flags)
    await fullPass(suite.worker)
    const standby = suite.product.worker('nacos-standby')
    await standby.start(...flags)
    await suite.worker.stop()
    await fullPass(standby)
    expect(calls()).toEqual([])
    expect(await generations()).toEqual(before)
    await standby.stop()
    await suite.worker.start(...flags)
  }, 240_000)

  async function fullPass(worker: OurProcess<WorkerReady>): Promise<void> {
    await until('each had a turn', async () => (await turnsOf(worker, 'nacos')) >= MANY, { seconds: 90 })
    await rested(worker)
  }

  async function generations(): Promise<readonly unknown[]> {
    const sets = await many.all('statefulsets')
    return sets.map(({ metadata }) => isTree(metadata) && [metadata.name, metadata.generation])
  }
}

/** All of them read the same sources. Of their Services one has an address: there are 254 of those. */
const oneOf = (name: string) =>
  nacosOf(name, {
    replicas: 1,
    userConfigRef: { name: 'shared-user' },
    internalConfigRef: { name: 'shared-internal' },
  })

/** The same with its fields in another order. */
function turned(value: unknown): unknown {
  if (!isTree(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([field, inner]) => [field, turned(inner)]),
  )
}
