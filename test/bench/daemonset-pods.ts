import { type Answerer, type Arrival, answerer } from '../../src/admission/answer.ts'
import { answeredReview } from '../../src/admission/response.ts'
import { type Review, reviewOf } from '../../src/admission/review.ts'
import { cachedReader } from '../../src/cluster/cached-reader.ts'
import { keptFor } from '../../src/cluster/kept.ts'
import { Cache } from '../../src/cluster/kube/cache/cache.ts'
import type { Built } from '../../src/cluster/port.ts'
import { settingsOf } from '../../src/setting.ts'
import { POD } from '../../webhooks/kruise/kubernetes.ts'
import { podOfDaemonSet } from '../../webhooks/kruise/pod/kind.ts'
import { answererPartsOf } from '../support/answerer-parts.ts'
import { DAEMON_SET_CONTROLLER, recorded } from '../support/daemonset-pods.ts'
import { UNREACHABLE } from '../support/fakes/readers.ts'
import { reviewsOf, withRequest } from '../support/reviews.ts'
import { daemonSetOf, listOf, nodeOf } from './patched-nodes.ts'
import type { Measurement } from './setting.ts'
import { percentile, type Row, spreadOf } from './table.ts'

const POD_BYTES = 16_384
const [FEW, MANY] = [1_000, 5_000]
const arrival: Arrival = { path: '/mutate-daemonset-pods', at: new Date(), deadline: { left: () => 2_000 } }
const kind = podOfDaemonSet(settingsOf({}))

interface Case {
  readonly patches: number
  readonly nodes: number
}
interface Times {
  readonly p50: number
  readonly p99: number
  readonly perSecond: number
}

/** From the parsed request to the text of the answer, caches warm, in this process: neither TLS nor network. */
export const daemonSetPods: Measurement = {
  ids: ['PF-13', 'PATCH-T-40', 'PATCH-T-41'],
  async measure({ quick }) {
    const { rounds, count } = quick ? { rounds: 3, count: 2_000 } : { rounds: 9, count: 20_000 }
    const cases = {
      ten: { patches: 10, nodes: MANY },
      few: { patches: 10, nodes: FEW },
      two: { patches: 2, nodes: MANY },
      none: { patches: 0, nodes: MANY },
    }
    const answerers = Object.entries(cases).map(([name, each]) => ({ name, each, ask: askingIn(each) }))
    const measured = new Map<string, Times[]>(answerers.map(({ name }) => [name, []]))
    for (const { each, ask } of answerers) await timesOf(ask, each, count) // warm
    for (let round = 0; round < rounds; round += 1)
      for (const { name, each, ask } of answerers) measured.get(name)?.push(await timesOf(ask, each, count))
    return rowsOf((name) => measured.get(name) ?? [])
  },
}

function askingIn({ patches, nodes }: Case): Answerer {
  const stored = daemonSetOf(listOf(patches))
  const objects = [stored, ...Array.from({ length: nodes }, (_, i) => nodeOf(i))]
  const held = keptFor(kind.reads).map((kept) => {
    const cache = new Cache(kept)
    cache.begin()
    cache.add(objects.filter((each) => each.kind === kept.resource.kind && isOf(each, kept.resource)))
    cache.done()
    return { resource: kept.resource, carrying: [], inMemory: () => cache }
  })
  const cached = cachedReader(held, UNREACHABLE)
  return answerer(answererPartsOf({ kinds: [kind], readers: { cached, live: UNREACHABLE } }))
}
const isOf = ({ apiVersion }: Built, { group, version }: { readonly group: string; readonly version: string }) =>
  apiVersion === [group, version].filter(Boolean).join('/')

/** The recorded pod with variables, up to the size, for one Node after the other. */
function reviewFor({ nodes }: Case, i: number): Review {
  const { pod } = recorded('native')
  const name = `node-${(i * 7) % nodes}`
  const text = JSON.stringify(pod).replaceAll('large-1', name)
  const object = JSON.parse(text)
  const env = Array.from({ length: Math.floor((POD_BYTES - text.length) / 64) }, (_, at) => ({
    name: `VARIABLE_${at}`,
    value: 'x'.repeat(30),
  }))
  object.spec.containers[0].env = env
  const body = reviewsOf(POD).creationOf(object, { user: DAEMON_SET_CONTROLLER })
  return reviewOf(withRequest(body, { namespace: 'recorded' }))
}

async function timesOf(ask: Answerer, given: Case, count: number): Promise<Times> {
  const reviews = Array.from({ length: 50 }, (_, i) => reviewFor(given, i))
  const times: number[] = []
  for (let i = 0; i < count; i += 1) {
    const review = structuredClone(reviews[i % reviews.length] ?? reviewFor(given, i)) // the mutations edit it
    const before = performance.now()
    const { response } = await ask(review, arrival)
    JSON.stringify(answeredReview(response))
    times.push(performance.now() - before)
    if (!response.allowed || (response.patch !== undefined) !== given.patches > 0) throw new Error('a wrong answer')
  }
  const perSecond = (1_000 * count) / times.reduce((sum, time) => sum + time, 0)
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), perSecond }
}

function rowsOf(of: (name: string) => readonly Times[]): readonly Row[] {
  const ms = (name: string, which: keyof Times) =>
    spreadOf(
      of(name).map((times) => times[which]),
      3,
      ' ms',
    )
  const pod = `a pod of ${POD_BYTES / 1_024} KiB of a DaemonSet`
  const row = (what: string, goal: string, measured: string, beside = ''): Row => ({
    id: 'PF-13',
    what,
    goal,
    measured,
    beside,
  })
  const perSecond = spreadOf(
    of('ten').map((times) => times.perSecond),
    0,
  )
  const by = (name: string, other: string) => of(name).map(({ p50 }, i) => p50 / (of(other)[i]?.p50 ?? Number.NaN))
  return [
    row(`p50 of ${pod} with ten patches of 1 KB, ${MANY} Nodes (PATCH-T-40)`, '≤ 0.5 ms', ms('ten', 'p50')),
    row('p99 of the same', '≤ 1 ms', ms('ten', 'p99')),
    row('such pods a second, one after the other (PATCH-T-40)', '≥ 1,000', perSecond),
    row(`its p50 by that with ${FEW} Nodes`, '≤ 1.1 ×', spreadOf(by('ten', 'few')), ms('few', 'p50')),
    row(`p99 of ${pod} with two patches`, '≤ 0.3 ms', ms('two', 'p99'), `p50 ${ms('two', 'p50')}`),
    row(`p99 of ${pod} without patches (PATCH-T-41)`, '≤ 0.1 ms', ms('none', 'p99'), `p50 ${ms('none', 'p50')}`),
  ]
}
