import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { guards } from '../../../../webhooks/tars/guards/kind.ts'
import { answered, CTRL, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aService, aWorkload, OF_SERVER } from '../../../support/builders/workloads.ts'
import { admittingCluster } from '../../../support/clusters.ts'
import { reviewsOf } from '../../../support/reviews.ts'

type Labels = Readonly<Record<string, string>>
const GUARDED: Readonly<Record<string, (labels?: Labels) => Built>> = {
  Service: (labels = OF_SERVER) => aService({ labels }),
  StatefulSet: (labels = OF_SERVER) => aWorkload('StatefulSet', { labels }),
  DaemonSet: (labels = OF_SERVER) => aWorkload('DaemonSet', { labels }),
}
const cases = guards.map(({ resource }) => ({
  kind: resource.kind,
  resource,
  make: GUARDED[resource.kind] ?? aService,
}))

const REFUSED =
  '403 Forbidden: metadata.labels[tars.io/ServerApp]: objects labelled tars.io/ServerApp are created from a TServer; ' +
  'create a TServer, or leave tars.io/ServerApp or tars.io/ServerName out (GW-1)'

describe.each(cases)('GW-1 a $kind of a server comes from its TServer', ({ resource, make }) => {
  const { creationOf, updateOf, deletionOf } = reviewsOf(resource)
  const answerTo = async (body: unknown) => wordsOf(await answered(VALIDATING, body))

  it.each([
    { user: 'ann', answer: REFUSED },
    { user: 'system:serviceaccount:kube-system:statefulset-controller', answer: REFUSED },
    { user: 'system:kube-controller-manager', answer: REFUSED },
    { user: CTRL, answer: 'allowed' },
    { user: 'system:serviceaccount:tars-system:tars-webhook', answer: 'allowed' },
  ])('created by $user: $answer', async ({ user, answer }) => {
    expect(await answerTo(creationOf(make(), { user }))).toBe(answer)
    expect(await answerTo(creationOf(make(), { user, dryRun: true }))).toBe(answer)
  })

  it.each([
    { name: 'with neither label', labels: {}, answer: 'allowed' },
    { name: 'with the app alone', labels: { 'tars.io/ServerApp': 'Demo' }, answer: 'allowed' },
    { name: 'with the name alone', labels: { 'tars.io/ServerName': 'Echo' }, answer: 'allowed' },
    { name: 'with both, though empty', labels: { 'tars.io/ServerApp': '', 'tars.io/ServerName': '' }, answer: REFUSED },
  ])('$name: $answer', async ({ labels, answer }) => {
    expect(await answerTo(creationOf(make(labels)))).toBe(answer)
  })

  it.each([
    { name: 'neither', before: {}, answer: REFUSED },
    { name: 'the app alone', before: { 'tars.io/ServerApp': 'Demo' }, answer: REFUSED },
    { name: 'the name alone', before: { 'tars.io/ServerName': 'Echo' }, answer: REFUSED },
    { name: 'both', before: OF_SERVER, answer: 'allowed' },
    { name: 'both, of another server', before: { ...OF_SERVER, 'tars.io/ServerName': 'Other' }, answer: 'allowed' },
  ])('with both labels where it had $name: $answer', async ({ before, answer }) => {
    expect(await answerTo(updateOf(make(before), make()))).toBe(answer)
    expect(await answerTo(updateOf(make(before), make(), { dryRun: true }))).toBe(answer)
    expect(await answerTo(updateOf(make(before), make(), { user: 'system:kube-controller-manager' }))).toBe(answer)
    expect(await answerTo(updateOf(make(before), make(), { user: CTRL }))).toBe('allowed')
  })

  it('comes by no labels through its status either, which is asked of nothing but the labels', async () => {
    const ofStatus = { subResource: 'status' }
    expect(await answerTo(updateOf(make({}), make(), ofStatus))).toBe(REFUSED)
    expect(await answerTo(updateOf(make(), make(), ofStatus))).toBe('allowed')
    expect(await answerTo(updateOf(make({}), make(), { ...ofStatus, user: CTRL }))).toBe('allowed')
  })

  it('may lose the labels, and is not met on DELETE', async () => {
    expect(await answerTo(updateOf(make(), make({})))).toBe('allowed')
    expect(await answerTo(deletionOf(make()))).toMatch(/^allowed\nwarning: no handler for DELETE/)
  })

  it('is nobody’s business without labels at all', async () => {
    for (const labels of [undefined, null]) {
      expect(await answerTo(creationOf({ ...make(), metadata: { name: 'a', labels } }))).toBe('allowed')
    }
  })

  it('keeps what we know nothing of in the in-memory cluster', async () => {
    const labels = { app: 'other' }
    const stored = await admittingCluster().create(resource, make(labels))
    expect(stored.spec).toEqual(make(labels).spec)
    await expect(admittingCluster().create(resource, make())).rejects.toThrow('(GW-1)')
  })
})
