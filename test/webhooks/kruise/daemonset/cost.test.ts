import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { samplesOf } from '../../../../webhooks/kruise/daemonset/samples.ts'
import { entryAt } from '../../../../webhooks/kruise/list/entry.ts'
import { judged } from '../../../../webhooks/kruise/template/flaws.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { allWordsTo } from './reviewed.ts'

const many = <T>(count: number, of: (at: number) => T) => Array.from({ length: count }, (_, at) => of(at))
const ten = (patch: (at: number) => Tree) =>
  many(10, (at) => anEntry(patch(at), { selector: { matchLabels: { [`l${at}`]: 'x' } } }))
/** On each Node another set of the ten applies. */
const nodes = many(64, (at) => {
  const labels = Object.fromEntries(many(10, (bit) => [`l${bit}`, ((at * 13 + 1) >> bit) & 1 ? 'x' : '']))
  return { apiVersion: 'v1', kind: 'Node', metadata: { namespace: '', name: `n${at}`, labels } }
})

const annotations = (at: number) => ({ metadata: { annotations: { [`a${at}`]: 'x' } } })
const agent = (fields: Tree) => ({ spec: { containers: [{ name: 'agent', ...fields }] } })
const template = (containers: readonly Tree[], more: Tree = {}) => ({
  metadata: { labels: { app: 'agent' } },
  spec: { containers, ...more },
})
const containers = (count: number, fields: Tree = {}) => many(count, (at) => ({ name: `c${at}`, ...fields }))
const variables = (count: number) => many(count, (at) => ({ name: `E${at}`, value: 'x' }))
const mounts = (count: number) => many(count, (at) => ({ name: 'data', mountPath: `/${at}` }))

const cases = [
  {
    name: 'containers that have no image',
    made: (size: number) => template(containers(size)),
    patch: annotations,
  },
  {
    name: 'good containers, of which one is patched',
    made: (size: number) => template([{ name: 'agent', image: 'a' }, ...containers(size, { image: 'a' })]),
    patch: (at: number) => agent({ env: [{ name: `E${at}`, value: 'x' }] }),
  },
  {
    name: 'variables, of which some are patched',
    made: (size: number) => template([{ name: 'agent', image: 'a', env: variables(size) }]),
    patch: (at: number) => agent({ env: [{ name: `E${at}`, value: `y${at}` }] }),
  },
  {
    name: 'mounts of a volume that is taken away',
    made: (size: number) =>
      template([{ name: 'agent', image: 'a', volumeMounts: mounts(size) }], { volumes: [{ name: 'data' }] }),
    patch: () => ({ spec: { volumes: [{ name: 'data', $patch: 'delete' }] } }),
  },
]

const MANY = 8_000
/** By what it takes to judge all ten together once. It was 45 to 78 times that when each sample judged the whole template. */
const MOST_TIMES = 30
/** Some machines count time in steps of ten milliseconds. */
const OFTEN = 10
/** The machine may be busy; what counts is the time of computing. */
const TIME = 60_000

/** Milliseconds of computing, at best of three. */
async function costOf(work: () => unknown, tries = 3): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  const cost = (user + system) / 1_000
  return tries === 1 ? cost : Math.min(cost, await costOf(work, tries - 1))
}

describe('ten patches, of which 64 sets are on Nodes, beside a template with 8,000', () => {
  it.each(cases)('$name', { timeout: TIME }, async ({ made, patch }) => {
    const annotation = ten(patch)
    const entries = annotation.flatMap(entryAt)
    const selector = { matchLabels: { app: 'agent' } }
    const readers = readersOf(...nodes)
    const whole = await costOf(() => allWordsTo(aDaemonSet({ annotation, template: made(MANY) }), { readers }))
    const often = await costOf(() => many(OFTEN, () => judged({ template: made(MANY), selector }, entries)))
    expect((whole / often) * OFTEN, `${whole} ms by ${often} ms`).toBeLessThan(MOST_TIMES)
  })
})

describe('the sets on Nodes that are tried (4.4 of the specification)', () => {
  const entries = ten(annotations).flatMap(entryAt)
  const labels = nodes.map(({ metadata }) => metadata.labels)
  it.each([
    { name: 'all of a usual template', size: 4_000, tried: 64 },
    { name: 'fewer of a large one', size: 8_000, tried: 32 },
    { name: 'some of the largest', size: 1_000_000, tried: 8 },
  ])('are $name', ({ size, tried }) => {
    expect(samplesOf(entries, labels, size).filter((sample) => sample.of === 'node')).toHaveLength(tried)
  })
})
