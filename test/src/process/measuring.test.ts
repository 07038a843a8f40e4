import { describe, expect, it, onTestFinished } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import type { Metric } from '../../../src/metric.ts'
import { measuring } from '../../../src/process/measuring.ts'
import { Meter } from '../../../src/telemetry/metrics.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { clusterOf } from '../../support/clusters.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { rested } from '../../support/working.ts'

const about: Metric['about'] = ({ namespace = '', name = '' }) =>
  name === '' ? [] : [{ of: GADGET, ref: { namespace, name } }]
const OF_GADGET = { labels: ['namespace', 'name'], help: 'Made up.', about }
const TURNS: Metric = { ...OF_GADGET, name: 'toy_turns_total', type: 'counter' }
const SIZE: Metric = { ...OF_GADGET, name: 'toy_size', type: 'gauge' }
const TIME: Metric = { ...OF_GADGET, name: 'toy_seconds', type: 'histogram', buckets: [0.001, 1] }
const STRAY: Metric = { ...TURNS, name: 'toy_stray' }

function measured() {
  const [clock, meter, memory] = [new ManualClock(), new Meter('tars_test_'), clusterOf(aGadget())]
  const opened = new AsyncDisposableStack()
  onTestFinished(() => opened.disposeAsync())
  let isAway = false
  const cached: typeof memory.get = (of, ref) =>
    isAway ? Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'away')) : memory.get(of, ref)
  const families = [{ metrics: [TURNS, SIZE] }, { metrics: [TIME] }, {}]
  const measure = measuring({ families, meter, cached: { get: cached }, clock }, opened)
  const lines = async () => (await meter.registry.metrics()).split('\n').filter((line) => /^toy/.test(line))
  const swept = async () => {
    clock.advance(60_000)
    await rested()
    return lines()
  }
  const goAway = (is: boolean) => {
    isAway = is
  }
  return { measure, lines, swept, memory, goAway }
}
const G = { namespace: 'demo', name: 'g' }

describe('samples of a family', () => {
  it('are added to counters, set in gauges and observed by histograms, under the whole name', async () => {
    const { measure, lines } = measured()
    for (const value of [2, 3])
      measure([TURNS, SIZE, TIME].map((metric) => ({ metric, labels: G, value: value / (metric === TIME ? 10 : 1) })))
    expect(await lines()).toEqual([
      'toy_turns_total{namespace="demo",name="g"} 5',
      'toy_size{namespace="demo",name="g"} 3',
      'toy_seconds_bucket{le="0.001",namespace="demo",name="g"} 0',
      'toy_seconds_bucket{le="1",namespace="demo",name="g"} 2',
      'toy_seconds_bucket{le="+Inf",namespace="demo",name="g"} 2',
      'toy_seconds_sum{namespace="demo",name="g"} 0.5',
      'toy_seconds_count{namespace="demo",name="g"} 2',
    ])
  })

  it('of a metric that no family lists count for nothing', async () => {
    const { measure, lines } = measured()
    measure([{ metric: STRAY, labels: G, value: 1 }])
    expect(await lines()).toEqual([])
  })

  it('go with the object that their labels name, and no others', async () => {
    const { measure, swept, memory, goAway } = measured()
    for (const metric of [TURNS, SIZE, TIME]) measure([{ metric, labels: G, value: 1 }])
    measure([{ metric: TURNS, labels: { namespace: '', name: '' }, value: 1 }])
    expect(await swept()).toHaveLength(8)
    await memory.remove(GADGET, G)
    goAway(true)
    expect(await swept()).toHaveLength(8)
    goAway(false)
    expect(await swept()).toEqual(['toy_turns_total{namespace="",name=""} 1'])
  })

  it('beyond 5,000 series are counted together, and set no gauge', async () => {
    const { measure, lines } = measured()
    const many = Array.from({ length: 5_003 }, (_, at) => ({ namespace: 'demo', name: `g${at}` }))
    for (const labels of many) measure([TURNS, SIZE].map((metric) => ({ metric, labels, value: 1 })))
    const found = await lines()
    expect(found.filter((line) => line.startsWith('toy_turns'))).toHaveLength(5_001)
    expect(found).toContain('toy_turns_total{namespace="other",name="other"} 3')
    expect(found.filter((line) => line.startsWith('toy_size'))).toHaveLength(5_000)
  })
})
