import { describe, expect, it } from 'vitest'
import type { ClusterReader } from '../../../src/cluster/port.ts'
import { nacosConfigMap } from '../../../webhooks/nacos/configmap/kind.ts'
import { CONFIG_MAP } from '../../../webhooks/nacos/kubernetes.ts'
import { answered, answeredAt, arrivalAt, VALIDATING, wordsOf } from '../../support/answerer-parts.ts'
import { readerOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { reviewsOf } from '../../support/reviews.ts'
import { serving } from '../../support/serving.ts'
import { aSource } from './configmap/reviewed.ts'
import { BOTH, creationOf, nacosWith, SOURCES, updateOf } from './nacos/admitting.ts'

const never = () => new Promise<never>(() => undefined)
const SILENT: ClusterReader = { get: never, list: never, dryRun: never }
const cached = readerOf(...SOURCES, nacosWith(BOTH))

const putOff = (what: string) =>
  expect.stringMatching(
    `^503 ServiceUnavailable: cannot decide now: ${what}; nothing is wrong with the object, try again`,
  )

describe('NC-ADM-04 what cannot be looked up, at the door of a Nacos', () => {
  it.each([
    { name: 'is told, and asked for again', live: UNREACHABLE, what: 'the cluster is out of reach' },
    { name: 'is not waited for any longer', live: SILENT, what: 'configmaps could not be read in time' },
  ])('$name', async ({ live, what }) => {
    const arrival = { ...arrivalAt(VALIDATING), deadline: { left: () => 20 } }
    const answer = await answeredAt(arrival, creationOf(nacosWith(BOTH)), { readers: { cached, live } })
    expect(wordsOf(answer)).toEqual(putOff(what))
    expect(answer.response.status?.details).toMatchObject({ retryAfterSeconds: 1 })
  })

  it('hides no other violation', async () => {
    const readers = { cached, live: UNREACHABLE }
    const words = wordsOf(await answered(VALIDATING, creationOf(nacosWith({ ...BOTH, replicas: 0 })), { readers }))
    expect(words).toMatch(/^422 Invalid: spec\.replicas: must be at least 1; .*\(NC-ADM-12\)$/)
  })

  it('keeps no change back that does not rest on it', async () => {
    const readers = { cached, live: UNREACHABLE }
    const body = updateOf(nacosWith(BOTH), nacosWith({ ...BOTH, replicas: 5 }))
    expect(wordsOf(await answered(VALIDATING, body, { readers }))).toBe('allowed')
  })

  it('keeps no change back for a warning (NC-ADM-25)', async () => {
    const readers = { cached: { ...cached, get: UNREACHABLE.get }, live: readerOf(...SOURCES) }
    expect(wordsOf(await answered(VALIDATING, creationOf(nacosWith(BOTH)), { readers }))).toBe('allowed')
  })
})

describe('NC-ADM-04 what cannot be looked up, at the door of ConfigMaps', () => {
  const away = { cached: UNREACHABLE, live: UNREACHABLE }
  const reviews = reviewsOf(CONFIG_MAP)
  const final = {
    ...aSource('final', {}),
    metadata: {
      namespace: 'demo',
      name: 'f',
      labels: { 'nacos.io/config-role': 'final' },
      ownerReferences: [{ apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name: 'n', uid: 'u', controller: true }],
    },
  }

  it.each([
    { name: 'a source', body: reviews.updateOf(aSource('team', { u: 'a=1' }), aSource('team', { u: 'a=\\u' })) },
    { name: 'a final', body: reviews.deletionOf(final) },
  ])('lets the API server pass over it: $name', async ({ body }) => {
    await using server = await serving({ kinds: [nacosConfigMap], readers: away })
    const outcome = await server.caller.call(server.webhook(VALIDATING), body)
    expect(outcome.passedOver).toMatch(/cannot decide now: the cluster is out of reach/)
    expect(outcome.refused).toBeUndefined()
  })
})
