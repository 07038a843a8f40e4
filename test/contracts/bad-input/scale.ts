import type { Tree } from '../../../src/schema.ts'
import { TSERVER } from '../../../webhooks/tars/tserver/schema.ts'
import { MUTATING } from '../../support/desk.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import { allowed, type Group, inWords, mutated, patched, validated } from './entry.ts'

const { updateOf } = reviewsOf({ ...TSERVER, kind: 'Scale' })
const scale = (name: string, spec?: unknown): Tree => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name, namespace: 'demo' },
  ...(spec !== undefined && { spec }),
})
/** Of Demo.Idle, which has no release, Demo.Run, which may have 1 to 5, and Demo.Odd, whose bound is none. */
const scaling = (object: Tree) => {
  const body = updateOf(scale('demo-run', { replicas: 1 }), object, { subResource: 'scale' })
  return withRequest(body, { kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } })
}
const scaled = (name: string, spec?: unknown) => mutated(scaling(scale(name, spec)))

export const SCALES: readonly Group[] = [
  allowed({
    'replicas of 3': scaled('demo-run', { replicas: 3 }),
    'replicas of 1e400': inWords(scaling(scale('demo-run', { replicas: '#' })), { '#': '1e400' }, MUTATING),
    'replicas of −0 without a release': inWords(
      scaling(scale('demo-idle', { replicas: '#' })),
      { '#': '-0' },
      MUTATING,
    ),
    'replicas of 1.5': scaled('demo-run', { replicas: 1.5 }),
    'replicas of "3"': scaled('demo-run', { replicas: '3' }),
    'replicas of null': scaled('demo-run', { replicas: null }),
    'spec null': scaled('demo-run', null),
    'a list for the spec': scaled('demo-run', []),
    'replicas of a server that is not there': scaled('demo-gone', { replicas: 3 }),
    'replicas of a server without a name': scaled('', { replicas: 3 }),
    'replicas of a server with a name in unicode': scaled('größe', { replicas: 3 }),
    'a scale without metadata': mutated(scaling({ spec: { replicas: 3 } })),
    'a scale without anything': mutated(scaling({})),
  }),
  patched(
    {
      'replicas of −1': scaled('demo-run', { replicas: -1 }),
      'replicas of 0': scaled('demo-run', { replicas: 0 }),
      'no replicas': scaled('demo-run', {}),
    },
    [{ op: 'add', path: '/spec/replicas', value: 1 }],
  ),
  patched(
    {
      'replicas of 1e9': scaled('demo-run', { replicas: 1e9 }),
      'replicas of 9007199254740993': inWords(
        scaling(scale('demo-run', { replicas: '#' })),
        { '#': '9007199254740993' },
        MUTATING,
      ),
    },
    [{ op: 'add', path: '/spec/replicas', value: 5 }],
  ),
  patched(
    {
      'no spec': scaled('demo-run'),
    },
    [{ op: 'add', path: '/spec', value: { replicas: 1 } }],
  ),
  patched(
    {
      'replicas of a server without a release': scaled('demo-idle', { replicas: 3 }),
    },
    [{ op: 'add', path: '/spec/replicas', value: 0 }],
  ),
  allowed(
    {
      'replicas of a server whose bound is a word': scaled('demo-odd', { replicas: 500 }),
    },
    'metadata.annotations[tars.io/MaxReplicas]: must be an integer 0..99, not "many"; ignored (TS-M16)',
  ),
  allowed(
    {
      'a scale that is validated': validated(scaling(scale('demo-run', { replicas: 99 }))),
    },
    'no handler for UPDATE of tservers/scale v1beta2 on /validating',
  ),
  allowed(
    {
      'a scale that is created': mutated(
        withRequest(scaling(scale('demo-run', { replicas: 99 })), { operation: 'CREATE' }),
      ),
    },
    'no handler for CREATE of tservers/scale v1beta2 on /mutating',
  ),
]
