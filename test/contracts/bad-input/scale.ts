import type { Tree } from '../../../src/schema.ts'
import { TSERVER } from '../../../webhooks/tars/tserver/schema.ts'
import { MUTATING } from '../../support/answerer-parts.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import { asWritten, table } from './entry.ts'

const KIND = { kind: 'Scale', apiVersion: 'autoscaling/v1' }
const scale = (name: string, spec?: unknown): Tree => ({ ...KIND, metadata: { name, namespace: 'demo' }, spec })
/** Of Demo.Idle, which has no release, Demo.Run, which may have 1 to 5, and Demo.Odd, whose bound is none. */
const scaling = (object: Tree) => {
  const { updateOf } = reviewsOf({ ...TSERVER, kind: 'Scale' })
  const body = updateOf(scale('demo-run', { replicas: 1 }), object, { subResource: 'scale' })
  return withRequest(body, { kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } })
}
const scaled = (name: string, spec?: unknown, word?: string) => asWritten(scaling(scale(name, spec)), word, MUTATING)

export const SCALES = table`
  allowed
    replicas of 3 | ${scaled('demo-run', { replicas: 3 })}
    replicas of 1e400 | ${scaled('demo-run', { replicas: '#' }, '1e400')}
    replicas of −0 without a release | ${scaled('demo-idle', { replicas: '#' }, '-0')}
    replicas of 1.5 | ${scaled('demo-run', { replicas: 1.5 })}
    replicas of "3" | ${scaled('demo-run', { replicas: '3' })}
    replicas of null | ${scaled('demo-run', { replicas: null })}
    spec null | ${scaled('demo-run', null)}
    a list for the spec | ${scaled('demo-run', [])}
    replicas of a server that is not there | ${scaled('demo-gone', { replicas: 3 })}
    replicas of a server without a name | ${scaled('', { replicas: 3 })}
    replicas of a server with a name in unicode | ${scaled('größe', { replicas: 3 })}
    a scale without metadata | ${asWritten(scaling({ spec: { replicas: 3 } }), undefined, MUTATING)}
    a scale without anything | ${asWritten(scaling({}), undefined, MUTATING)}
  patched [{"op":"add","path":"/spec/replicas","value":1}]
  spec.replicas: {} becomes 1, for annotation tars.io/MinReplicas asks for more (TS-M16)
    replicas of −1 | ${scaled('demo-run', { replicas: -1 })} | -1
    replicas of 0 | ${scaled('demo-run', { replicas: 0 })} | 0
    no replicas | ${scaled('demo-run', {})} | 0
  patched [{"op":"add","path":"/spec/replicas","value":5}]
  spec.replicas: {} becomes 5, for annotation tars.io/MaxReplicas allows no more (TS-M16)
    replicas of 1e9 | ${scaled('demo-run', { replicas: 1e9 })} | 1000000000
    replicas of 9007199254740993 | ${scaled('demo-run', { replicas: '#' }, '9007199254740993')} | 9007199254740992
  patched {}
    no spec | ${scaled('demo-run')} | [{"op":"add","path":"/spec","value":{"replicas":1}}] | spec.replicas: 0 becomes 1, for annotation tars.io/MinReplicas asks for more (TS-M16)
    replicas of a server without a release | ${scaled('demo-idle', { replicas: 3 })} | [{"op":"add","path":"/spec/replicas","value":0}] | spec.replicas: 3 becomes 0, for there is no release (TS-M16)
  allowed {}
    a scale that is validated | ${asWritten(scaling(scale('demo-run', { replicas: 99 })))} | no handler for UPDATE of tservers/scale v1beta2 on /validating
    a scale that is created | ${asWritten(withRequest(scaling(scale('demo-run', { replicas: 99 })), { operation: 'CREATE' }), undefined, MUTATING)} | no handler for CREATE of tservers/scale v1beta2 on /mutating
    replicas of a server whose bound is a word | ${scaled('demo-odd', { replicas: 500 })} | metadata.annotations[tars.io/MaxReplicas]: must be an integer 0..99, not "many"; ignored (TS-M16)
`
