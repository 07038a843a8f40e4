import { describe, expect, it } from 'vitest'
import type { Readers } from '../../../../src/cluster/port.ts'
import { tserverScale } from '../../../../webhooks/tars/tserver/scale.ts'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { answered, MUTATING, patchIn, wordsOf } from '../../../support/answerer-parts.ts'
import { aRelease, aTServer } from '../../../support/builders/servers.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

/** What kubectl scale and an autoscaler send. */
const aScale = (spec: unknown = { replicas: 3 }) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'demo-echo', namespace: 'demo' },
  spec,
  status: { replicas: 1, selector: 'tars.io/ServerApp=Demo,tars.io/ServerName=Echo' },
})
const { updateOf } = reviewsOf(TSERVER)
const scaled = (object: unknown, readers: Readers, sent: Sent = {}) =>
  answered(MUTATING, updateOf(aScale(), object, { subResource: 'scale', ...sent }), { readers })

const bounds = { 'tars.io/MinReplicas': '2', 'tars.io/MaxReplicas': '4' }
const released = aTServer({ release: aRelease() })
const bounded = aTServer({ release: aRelease(), annotations: bounds })

const TOO_FEW = 'annotation tars.io/MinReplicas asks for more'
const TOO_MANY = 'annotation tars.io/MaxReplicas allows no more'

describe('TS-M16 a scale keeps to the same replicas', () => {
  it.each([
    { name: 'within the bounds', server: bounded, replicas: 3, made: undefined },
    { name: 'above them', server: bounded, replicas: 9, made: 4, why: TOO_MANY },
    { name: 'below them', server: bounded, replicas: 1, made: 2, why: TOO_FEW },
    { name: 'without bounds', server: released, replicas: 50, made: undefined },
    {
      name: 'without a release',
      server: aTServer({ annotations: bounds }),
      replicas: 3,
      made: 0,
      why: 'there is no release',
    },
    { name: 'to none without a release', server: aTServer(), replicas: 0, made: undefined },
  ])('$name, $replicas', async ({ server, replicas, made, why }) => {
    const answer = await scaled(aScale({ replicas }), readersOf(server))
    const held = made === undefined ? undefined : [{ op: 'add', path: '/spec/replicas', value: made }]
    expect(patchIn(answer)).toEqual(held)
    expect(answer.response.warnings).toEqual(
      held && [`spec.replicas: ${replicas} becomes ${made}, for ${why} (TS-M16)`],
    )
  })

  it.each([
    { name: 'a scale to 0 comes without the field', spec: {}, patch: { op: 'add', path: '/spec/replicas', value: 2 } },
    {
      name: 'a scale without a spec is one to 0',
      spec: undefined,
      patch: { op: 'add', path: '/spec', value: { replicas: 2 } },
    },
  ])('$name', async ({ spec, patch }) => {
    const answer = await scaled(spec === undefined ? { ...aScale(), spec } : aScale(spec), readersOf(bounded))
    expect(patchIn(answer)).toEqual([patch])
    expect(wordsOf(answer)).toBe(`allowed\nwarning: spec.replicas: 0 becomes 2, for ${TOO_FEW} (TS-M16)`)
  })

  it('one to 0 is held to a lower bound of 1', async () => {
    const server = aTServer({ release: aRelease(), annotations: { 'tars.io/MinReplicas': '1' } })
    expect(patchIn(await scaled(aScale({}), readersOf(server)))).toEqual([
      { op: 'add', path: '/spec/replicas', value: 1 },
    ])
  })

  it('what was held goes on unchanged', async () => {
    const { object } = await scaled(aScale({ replicas: 9 }), readersOf(bounded))
    expect(object).toEqual(aScale({ replicas: 4 }))
    expect(patchIn(await scaled(object, readersOf(bounded)))).toBeUndefined()
  })

  it('a dry run makes the same (W-9)', async () => {
    const { response } = await scaled(aScale({ replicas: 9 }), readersOf(bounded), { dryRun: true })
    expect(response.patch).toBeDefined()
  })

  it('bounds that are illegal are ignored, with a warning', async () => {
    const server = aTServer({ release: aRelease(), annotations: { ...bounds, 'tars.io/MinReplicas': '007' } })
    const answer = await scaled(aScale({ replicas: 9 }), readersOf(server))
    expect(patchIn(answer)).toEqual([{ op: 'add', path: '/spec/replicas', value: 4 }])
    expect(wordsOf(answer)).toBe(
      'allowed\nwarning: metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "007"; ignored (TS-M16)\n' +
        `warning: spec.replicas: 9 becomes 4, for ${TOO_MANY} (TS-M16)`,
    )
  })

  it.each([
    { name: 'a server that is not there, which the API server says itself', there: [] },
    { name: 'a server in another namespace', there: [aTServer({ namespace: 'prod' })] },
  ])('of $name nothing is said', async ({ there }) => {
    const answer = await scaled(aScale({ replicas: 9 }), readersOf(...there))
    expect(wordsOf(answer)).toBe('allowed')
    expect(patchIn(answer)).toBeUndefined()
  })

  it('a server of which only the metadata can be read is left alone', async () => {
    const { spec: _, ...bare } = released
    expect(patchIn(await scaled(aScale(), readersOf(bare)))).toBeUndefined()
  })

  it('a scale that is none goes on unchanged (W-4)', async () => {
    for (const object of [{}, { ...aScale(), spec: 'x' }, aScale({ replicas: 'three' }), { spec: { replicas: 9 } }])
      expect(patchIn(await scaled(object, readersOf(bounded)))).toBeUndefined()
  })

  it('what cannot be looked up is put off (SV-6)', async () => {
    const { response } = await scaled(aScale(), { cached: readerOf(), live: UNREACHABLE })
    expect(response.status).toMatchObject({ code: 503 })
  })
})

describe('the scale of a TServer meets the API server as tars.md 2.1 says', () => {
  it('once, on the subresource alone', () => {
    expect(tserverScale.doors).toEqual([
      {
        name: 'mutating-scale.tars.io',
        path: '/mutating',
        phase: 'mutate',
        operations: ['UPDATE'],
        subresource: 'scale',
        failurePolicy: 'Fail',
        timeoutSeconds: 10,
        sideEffects: 'None',
        reinvocation: 'IfNeeded',
      },
    ])
  })

  it('under the name of TServers, and without a definition', () => {
    expect(tserverScale.resource).toMatchObject({ group: 'k8s.tars.io', version: 'v1beta2', plural: 'tservers' })
    expect(tserverScale.definition).toBeUndefined()
  })
})
