import { describe, expect, it } from 'vitest'
import type { Readers } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { settingsOf } from '../../../../src/setting.ts'
import { KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA } from '../../../../webhooks/kruise/daemonsets.ts'
import { VALIDATE_CONTROLLED } from '../../../../webhooks/kruise/doors.ts'
import { kruise } from '../../../../webhooks/kruise/family.ts'
import { answered, wordsOf } from '../../../support/answerer-parts.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf } from '../../../support/reviews.ts'

const settings = settingsOf({ enableDaemonsetController: true })
const kinds = kruise.kinds(settings, ['kruise'])
const template = (spec: Tree = {}, labels: Tree = { app: 'agent' }) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'agent', image: 'agent:1' }], ...spec },
})
const aDaemonSet = (spec: Tree = {}, version = 'v1beta1') => ({
  apiVersion: `apps.kruise.io/${version}`,
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'demo', uid: 'd1', resourceVersion: '7' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: template(), ...spec },
})
const rolling = (rollingUpdate: Tree) => ({ updateStrategy: { rollingUpdate } })
const ROLLING = 'spec.updateStrategy.rollingUpdate'
const { creationOf, updateOf } = reviewsOf(KRUISE_DAEMONSET)
const answerTo = async (body: unknown, readers: Readers = readersOf()) =>
  wordsOf(await answered(VALIDATE_CONTROLLED.path, body, { kinds, settings, readers }))

const COUNT = 'must be a number from 0, or a share from 0% to 100%; write 1 or "10%"'
const REFUSED: readonly { readonly spec: Tree; readonly says: string }[] = [
  { spec: { selector: {} }, says: 'spec.selector: must select something; write the labels of its pods' },
  {
    spec: { selector: { matchExpressions: [{ key: 'app', operator: 'Gt', values: ['1'] }] } },
    says: 'spec.selector.matchExpressions[0].operator: operator Gt is not a label selector operator; write it like the selector of a Deployment',
  },
  {
    spec: { template: template({}, { app: 'other' }) },
    says: 'spec.template.metadata.labels: do not match spec.selector; give its pods the labels of the selector',
  },
  {
    spec: { template: template({ restartPolicy: 'OnFailure' }) },
    says: 'spec.template.spec.restartPolicy: must be Always; leave it out',
  },
  {
    spec: { template: template({ activeDeadlineSeconds: 5 }) },
    says: 'spec.template.spec.activeDeadlineSeconds: is not for pods of a DaemonSet; leave it out',
  },
  { spec: rolling({ maxUnavailable: '101%' }), says: `${ROLLING}.maxUnavailable: ${COUNT}` },
  { spec: rolling({ maxSurge: -1 }), says: `${ROLLING}.maxSurge: ${COUNT}` },
  { spec: rolling({ partition: 'half' }), says: `${ROLLING}.partition: ${COUNT}` },
  { spec: { burstReplicas: '5' }, says: `spec.burstReplicas: ${COUNT}` },
  {
    spec: rolling({ maxUnavailable: 1, maxSurge: '10%' }),
    says: `${ROLLING}.maxSurge: must be 0 where maxUnavailable is not; leave one of the two out`,
  },
  {
    spec: { lifecycle: { inPlaceUpdate: { markPodNotReady: true } } },
    says: 'spec.lifecycle.inPlaceUpdate: is not supported; use preDelete alone',
  },
]

describe('PATCH-CTL-4 where the worker controls DaemonSets of apps.kruise.io, they are judged as OpenKruise does', () => {
  it.each(REFUSED)('$says', async ({ spec, says }) => {
    expect(await answerTo(creationOf(aDaemonSet(spec)))).toBe(`422 Invalid: ${says} (PATCH-CTL-4)`)
  })

  it.each<{ readonly spec: Tree }>([
    { spec: {} },
    { spec: { template: template({ restartPolicy: 'Always' }) } },
    { spec: rolling({ maxUnavailable: 0, maxSurge: '10%', partition: '100%' }) },
    { spec: rolling({ maxUnavailable: '5%', maxSurge: '0%' }) },
    { spec: rolling({ maxUnavailable: 0, maxSurge: 0 }) },
    { spec: { burstReplicas: '100%', lifecycle: { preDelete: { labelsHandler: { hold: 'yes' } } } } },
    { spec: { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['agent'] }] } } },
  ])('$spec passes', async ({ spec }) => {
    expect(await answerTo(creationOf(aDaemonSet(spec)))).toBe('allowed')
  })

  it('all that is wrong is said at once', async () => {
    const spec = { selector: {}, ...rolling({ maxSurge: 'x' }) }
    const answer = await answerTo(creationOf(aDaemonSet(spec)))
    expect(answer.match(/PATCH-CTL-4/g)).toHaveLength(2)
  })

  it('the selector cannot be changed, all else can', async () => {
    const next = aDaemonSet({
      selector: { matchLabels: { tier: 'a' } },
      template: template({}, { app: 'agent', tier: 'a' }),
    })
    const change = updateOf(aDaemonSet(), next)
    expect(await answerTo(change)).toBe(
      '422 Invalid: spec.selector: cannot be changed; create another DaemonSet (PATCH-CTL-4)',
    )
    const other = aDaemonSet({
      ...rolling({ maxUnavailable: 3 }),
      minReadySeconds: 5,
      template: template({ hostNetwork: true }),
    })
    expect(await answerTo(updateOf(aDaemonSet(), other))).toBe('allowed')
  })

  it('what stood before stays editable', async () => {
    const old = aDaemonSet(rolling({ maxUnavailable: 1, maxSurge: 1 }))
    expect(await answerTo(updateOf(old, { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }))).toBe('allowed')
  })

  it('beside OpenKruise its own webhook judges', async () => {
    const there = readersOf({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'kruise-mutating-webhook-configuration', namespace: '' },
    })
    expect(await answerTo(creationOf(aDaemonSet({ selector: {} })), there)).toBe('allowed')
  })

  it('in both versions', async () => {
    const { creationOf: creationOfAlpha } = reviewsOf(KRUISE_DAEMONSET_ALPHA)
    expect(await answerTo(creationOfAlpha(aDaemonSet({ selector: {} }, 'v1alpha1')))).toMatch('PATCH-CTL-4')
  })

  it('and with that setting alone', () => {
    const doors = (given: Tree) =>
      kruise.kinds(settingsOf(given), ['kruise']).flatMap((kind) => kind.doors.map(({ path }) => path))
    expect(doors({})).not.toContain(VALIDATE_CONTROLLED.path)
    expect(doors({ enableDaemonsetController: true })).toContain(VALIDATE_CONTROLLED.path)
  })
})
