import { describe, expect, it } from 'vitest'
import { type Fitness, fitnessOf, type NodeTraits } from '../../../../webhooks/kruise/controller/fitness.ts'

const BOTH: Fitness = { shouldRun: true, shouldContinue: true }
const NONE: Fitness = { shouldRun: false, shouldContinue: false }
const STAY: Fitness = { shouldRun: false, shouldContinue: true }

const place = (more: Partial<NodeTraits> = {}): NodeTraits => ({
  name: 'n1',
  labels: { zone: 'a', size: '10' },
  taints: [],
  ...more,
})
const taint = (effect: string) => ({ key: 'dedicated', value: 'db', effect })
const terms = (...nodeSelectorTerms: unknown[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
})
const label = (key: string, operator: string, ...values: string[]) =>
  terms({ matchExpressions: [{ key, operator, values }] })
const field = (operator: string, ...values: string[]) =>
  terms({ matchFields: [{ key: 'metadata.name', operator, values }] })

describe('PATCH-CTL-15 the nodes of a DaemonSet', () => {
  it.each<[string, unknown, Fitness]>([
    ['no wish', {}, BOTH],
    ['no spec', undefined, BOTH],
    ['its name', { nodeName: 'n1' }, BOTH],
    ['another name', { nodeName: 'n2' }, NONE],
    ['its label', { nodeSelector: { zone: 'a' } }, BOTH],
    ['another value', { nodeSelector: { zone: 'b' } }, NONE],
    ['a key of every object', { nodeSelector: { constructor: 'a' } }, NONE],
    ['In', label('zone', 'In', 'b', 'a'), BOTH],
    ['not In', label('zone', 'In', 'b'), NONE],
    ['NotIn', label('zone', 'NotIn', 'b'), BOTH],
    ['NotIn of an absent label', label('rack', 'NotIn', 'b'), BOTH],
    ['not NotIn', label('zone', 'NotIn', 'a'), NONE],
    ['Exists', label('zone', 'Exists'), BOTH],
    ['not Exists', label('rack', 'Exists'), NONE],
    ['DoesNotExist', label('rack', 'DoesNotExist'), BOTH],
    ['Gt', label('size', 'Gt', '9'), BOTH],
    ['not Gt', label('size', 'Gt', '10'), NONE],
    ['Lt', label('size', 'Lt', '11'), BOTH],
    ['not Lt', label('size', 'Lt', '10'), NONE],
    ['Gt of no number', label('zone', 'Gt', '9'), NONE],
    ['Gt of two numbers', label('size', 'Gt', '8', '9'), NONE],
    ['an unknown operator', label('zone', 'Near', 'a'), NONE],
    ['a requirement without key', terms({ matchExpressions: [{ operator: 'DoesNotExist' }] }), NONE],
    ['the field of its name', field('In', 'n1'), BOTH],
    ['the field of another name', field('In', 'n2'), NONE],
    ['a field that does not count', terms({ matchFields: [{ key: 'metadata.uid', operator: 'Exists' }] }), NONE],
    [
      'one of two terms',
      terms(
        { matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n1'] }] },
        { matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
      ),
      BOTH,
    ],
    ['an empty term', terms({}), NONE],
    ['no term', terms(), NONE],
  ])('fit by the template: %s', (_, spec, expected) => {
    expect(fitnessOf(spec, [], place())).toEqual(expected)
  })

  it.each<[string, string, readonly unknown[], Fitness]>([
    ['NoSchedule', 'NoSchedule', [], STAY],
    ['NoExecute', 'NoExecute', [], NONE],
    ['PreferNoSchedule', 'PreferNoSchedule', [], BOTH],
    ['NoExecute that is tolerated', 'NoExecute', [{ key: 'dedicated', value: 'db', effect: 'NoExecute' }], BOTH],
    ['NoExecute that exists', 'NoExecute', [{ key: 'dedicated', operator: 'Exists' }], BOTH],
    ['NoExecute where all are tolerated', 'NoExecute', [{ operator: 'Exists' }], BOTH],
    ['another key', 'NoExecute', [{ key: 'other', operator: 'Exists' }], NONE],
    ['another value', 'NoExecute', [{ key: 'dedicated', value: 'web' }], NONE],
    ['another effect', 'NoExecute', [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }], NONE],
    ['a toleration of nothing', 'NoExecute', [null], NONE],
  ])('fit by taints: %s', (_, effect, tolerations, expected) => {
    expect(fitnessOf({}, tolerations, place({ taints: [taint(effect)] }))).toEqual(expected)
  })
})
