import { describe, expect, it } from 'vitest'
import { ANNOTATIONS, LABELS } from '../../../../webhooks/kruise/names.ts'
import {
  aDaemonPod,
  aRollout,
  entryFor,
  known,
  LARGE,
  marked,
  rolloutPlan,
} from '../../../support/builders/rollouts.ts'

const CURRENT = aDaemonPod({ by: [LARGE] })

function planOf(given: NonNullable<Parameters<typeof aRollout>[0]>) {
  const seen = aRollout(given)
  return rolloutPlan(seen, { remembered: known(seen) })
}

describe('PATCH-HASH-7 an edit that changes nothing of the result changes the stamps alone', () => {
  const twice = [entryFor('large', 'old'), LARGE]
  const hash = aRollout().patches.choiceFor({ disk: 'large' }).templateHash()
  const stamped = { ...CURRENT.metadata.annotations, [ANNOTATIONS.templateHash]: hash }
  const pod = { ...CURRENT, metadata: { ...CURRENT.metadata, annotations: stamped } }
  const stampOf = (list: readonly object[]) => aRollout({ list }).patches.choiceFor({ disk: 'large' }).component

  it('and no pod goes', () => {
    const annotations = { [ANNOTATIONS.combinedHash]: `h1-${stampOf(twice)}`, [ANNOTATIONS.applied]: '0,1' }
    expect(planOf({ list: twice, pods: [pod] }).actions).toMatchObject([
      { because: 'PATCH-HASH-7', patch: { metadata: { annotations } } },
    ])
  })

  it('a mark is taken back with it', () => {
    expect(planOf({ list: twice, pods: [marked(pod)] }).actions).toMatchObject([
      {
        because: 'PATCH-HASH-7',
        patch: { metadata: { labels: { [LABELS.revision]: 'h1' }, annotations: { [ANNOTATIONS.stale]: null } } },
      },
    ])
  })

  it('patches that changed nothing leave no stamp', () => {
    const noop = { ...LARGE, patch: { metadata: { labels: { app: 'agent' } } } }
    const plain = aRollout({ list: '' }).patches.choiceFor({}).templateHash()
    const by = aDaemonPod({ by: [noop] })
    const annotations = { ...by.metadata.annotations, [ANNOTATIONS.templateHash]: plain }
    const [action] = planOf({ list: '', pods: [{ ...by, metadata: { ...by.metadata, annotations } }] }).actions
    const gone = Object.fromEntries(Object.keys(annotations).map((key) => [key, null]))
    expect(action).toMatchObject({ patch: { metadata: { annotations: gone } } })
  })

  it.each([
    { name: 'another result', list: [entryFor('large', 'x')], annotations: {} },
    { name: 'an older base', list: twice, annotations: { [ANNOTATIONS.generation]: '2' } },
  ])('$name is replaced', ({ list, annotations }) => {
    expect(planOf({ list, pods: [pod], annotations }).actions).toMatchObject([{ because: 'PATCH-ROLL-5 PatchChanged' }])
  })
})
