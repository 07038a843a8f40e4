import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { aDraftOfTConfig, aTConfig } from '../../../support/builders/configs.ts'
import { interleavedWorld, UNLUCKY } from '../../../support/interleaved.ts'
import { SEED } from '../../../support/seed.ts'

/** As many as are asked for, in another order each time. */
const RUNS = Number(process.env.INTERLEAVINGS ?? 1_000)

type Operation = (typeof OPERATIONS)[number]
interface Request {
  readonly does: Operation
  readonly name: string
  readonly isUnlucky: boolean
}
const OPERATIONS = ['create', 'create inactive', 'activate', 'delete'] as const
/** From its start to its answer. */
interface Done extends Request {
  readonly uid: string
  readonly from: number
  readonly to: number
}

const request = fc.record<Request>({
  does: fc.constantFrom(...OPERATIONS),
  name: fc.constantFrom('v0', 'v1', 'v2', 'v3', 'v4'),
  isUnlucky: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})
const story = fc.record({
  scheduler: fc.scheduler(),
  requests: fc.array(request, { minLength: 2, maxLength: 6 }),
  turns: fc.nat({ max: 4 }),
  marks: fc.array(fc.constantFrom('set', 'set', 'set', 'lost', 'lost behind it'), { maxLength: 6 }),
  /** Less than the grace time: further apart, a mark may be taken back while its request is on its way. */
  skewMs: fc.constantFrom(0, 0, -20_000, 20_000),
})
type Story = typeof story extends fc.Arbitrary<infer S> ? S : never

const THERE = [
  aTConfig({ name: 'v0', activated: false, version: '20260101000000-1' }),
  aTConfig({ name: 'v1', version: '20260101000001-1' }),
]

async function told({ requests, turns, ...world }: Story) {
  const { cluster, step, now, turn, settle, versions } = interleavedWorld({ ...world, there: THERE })
  const done: Done[] = []
  async function send(asked: Request): Promise<void> {
    await step(`${asked.does} ${asked.name}`)
    const from = now()
    const stored = await answerOf(asked).catch(() => undefined)
    if (stored !== undefined) done.push({ ...asked, ...stored, from, to: now() })
  }
  async function answerOf({ does, name, isUnlucky }: Request) {
    const ref = { namespace: 'demo', name }
    const options = isUnlucky ? { user: UNLUCKY } : {}
    if (does === 'delete') {
      const before = await cluster.get(TCONFIG, ref)
      const { uid = '' } = before?.metadata ?? {}
      await cluster.remove(TCONFIG, ref, { ...options, preconditions: { uid } })
      return { uid }
    }
    const draft = { ...aDraftOfTConfig({ name }), activated: does === 'create' }
    const stored =
      does === 'activate'
        ? await cluster.merge(TCONFIG, ref, { activated: true }, options)
        : await cluster.create(TCONFIG, draft, options)
    return { uid: stored.metadata.uid ?? '' }
  }
  async function work(): Promise<void> {
    for (let left = turns; left > 0; left -= 1) {
      await step('turn')
      await turn()
    }
  }
  await world.scheduler.waitFor(Promise.all([...requests.map(send), work()]))
  await world.scheduler.waitFor(settle())
  return { done, left: await versions() }
}

/** What was there from the start, and each request that was answered well, as one list. */
const uidOf = (name: string) => `uid-of-${name}`
const FIRST: readonly Done[] = [
  { does: 'create inactive', name: 'v0', isUnlucky: false, uid: uidOf('v0'), from: 0, to: 0 },
  { does: 'create', name: 'v1', isUnlucky: false, uid: uidOf('v1'), from: 0, to: 0 },
]
const isCreation = ({ does }: Done) => does === 'create' || does === 'create inactive'
const isActivation = ({ does }: Done) => does === 'create' || does === 'activate'

/** Of a version that was active once: its history goes with it if it was so at that time. */
const isEnd = ({ does, uid }: Done, all: readonly Done[]) =>
  does === 'delete' && all.some((each) => each.uid === uid && isActivation(each))

/** Whether a deletion of another version may have taken this one along: it was there, and not in force after that one. */
function wentAlong(uid: string, all: readonly Done[]): boolean {
  const ofIt = all.filter((each) => each.uid === uid)
  const created = ofIt.find(isCreation)
  return all.some((end) => {
    if (!isEnd(end, all) || end.uid === uid) return false
    const wasThere = created !== undefined && created.from < end.to
    const former = all.filter((each) => each.uid === end.uid && isActivation(each))
    const isLater = ofIt.some((mine) => isActivation(mine) && former.every((each) => each.to < mine.from))
    return wasThere && !isLater
  })
}

it(
  `RL-9 (U-5): of ${RUNS} interleavings (seed ${SEED}) of conflicting requests, marks, failures and turns, each ends with one version in force and none lost`,
  async () => {
    await fc.assert(
      fc.asyncProperty(story, async (each) => {
        const { done, left } = await told(each)
        const all = [...FIRST, ...done]
        const deleted = new Set(all.filter(({ does }) => does === 'delete').map(({ uid }) => uid))
        const stays = new Set(left.map(({ metadata }) => metadata.uid))
        const lost = all.filter((one) => isCreation(one) && !stays.has(one.uid) && !deleted.has(one.uid))
        expect(lost.filter(({ uid }) => !wentAlong(uid, all))).toEqual([])
        const active = left.filter(({ activated }) => activated)
        expect(active.length).toBeLessThanOrEqual(1)
        const ends = all.filter((one) => isEnd(one, all))
        const lastEnd = Math.max(0, ...ends.map(({ to }) => to))
        const isSettled = ends.length === 0 || all.some((one) => isActivation(one) && one.from > lastEnd)
        if (isSettled) expect(active).toHaveLength(1)
        for (const { metadata } of left)
          expect(
            Object.keys({ ...metadata.labels }).filter((label) => /eactivat(e|ing)$|Deleting$/.test(label)),
          ).toEqual([])
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    )
  },
  120_000 + RUNS * 20,
)

it('RL-9 found by chance: v1 is deleted, and while that waits, v2 comes into force and a turn deactivates v1', async () => {
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let lists = 0
  async function schedule<T>(step: Promise<T>, label?: string): Promise<T> {
    if (label !== 'list' || ++lists > 1) return step
    reached.resolve()
    return held.promise.then(() => step)
  }
  const world = interleavedWorld({ scheduler: { schedule }, marks: [], skewMs: 0, there: THERE })
  const deletion = world.cluster.remove(TCONFIG, { namespace: 'demo', name: 'v1' })
  await reached.promise
  await world.cluster.create(TCONFIG, aDraftOfTConfig({ name: 'v2' }))
  await world.settle()
  held.resolve()
  await deletion
  await world.settle()
  const left = (await world.versions()).map(({ metadata, activated }) => `${metadata.name} ${activated}`)
  expect(left).toEqual(['v0 false', 'v2 true'])
})

it('RL-9 a deletion that was refused behind its marks, and one after another version came into force: none is lost', async () => {
  const schedule = <T>(step: Promise<T>) => step
  const world = interleavedWorld({ scheduler: { schedule }, marks: [], skewMs: 0, there: THERE })
  const { cluster, turn, settle, versions } = world
  const v1 = { namespace: 'demo', name: 'v1' }
  await expect(cluster.remove(TCONFIG, v1, { user: UNLUCKY })).rejects.toThrow('denied')
  await cluster.create(TCONFIG, aDraftOfTConfig({ name: 'v2' }))
  for (const _ of ['deactivates', 'takes the marks back']) await turn()
  await cluster.remove(TCONFIG, v1)
  await settle()
  expect((await versions()).map(({ metadata }) => metadata.name)).toEqual(['v0', 'v2'])
})
