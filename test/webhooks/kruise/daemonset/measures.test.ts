import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../../../src/setting.ts'
import { daemonSets } from '../../../../webhooks/kruise/daemonset/kind.ts'
import { APPS_DAEMONSET } from '../../../../webhooks/kruise/daemonsets.ts'
import { VALIDATE } from '../../../../webhooks/kruise/doors.ts'
import { failure } from '../../../../webhooks/kruise/metrics.ts'
import { answered } from '../../../support/answerer-parts.ts'
import { sent } from '../../../support/builders/gadgets.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import { reviewsOf } from '../../../support/reviews.ts'
import { OFF } from './reviewed.ts'

const AGENT = { group: 'apps', namespace: 'demo', daemonset: 'agent' }
const { creationOf } = reviewsOf(APPS_DAEMONSET)
const measured = async (object: unknown, settings = {}) => {
  const given = settingsOf({ deepValidation: false, ...settings })
  return (await answered(VALIDATE.path, creationOf(object), { kinds: daemonSets, settings: given })).verdict.measured
}
const entries = [anEntry(undefined, { selector: {} }), anEntry({ metadata: { labels: { a: 'x'.repeat(1_100) } } })]

describe('what refuses a DaemonSet is an error of it in the metrics', () => {
  it.each([
    { name: 'a list that cannot be read', annotation: '{', reasons: ['parse'] },
    { name: 'each finding', annotation: entries, reasons: expect.arrayContaining(['too_large', 'bad_selector']) },
  ])('$name', async ({ annotation, reasons }) => {
    const found = (await measured(aDaemonSet({ annotation }))) ?? []
    expect(found.map(({ labels: { reason } }) => reason)).toEqual(reasons)
    for (const { labels } of found) expect(labels).toMatchObject({ ...AGENT, stage: 'validate' })
  })

  it('and nothing where it is admitted or warned of', async () => {
    expect(await measured(aDaemonSet())).toBeUndefined()
    expect(await measured(aDaemonSet({ annotation: '{' }), OFF)).toBeUndefined()
  })

  it('of either group, with empty labels where there is no name', () => {
    const [rule] = daemonSets.flatMap(({ rules }) => rules)
    const raw = sent('CREATE', { object: { apiVersion: 'apps.kruise.io/v1beta1' } })
    expect(rule?.measures?.({ path: '' }, raw)).toEqual([
      failure('validate', 'parse', { ...AGENT, group: 'apps.kruise.io', daemonset: '' }),
    ])
  })
})
