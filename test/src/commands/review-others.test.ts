import { describe, expect } from 'vitest'
import { kinds } from '../../support/kinds.ts'
import { aSecret, child, itSays, pages, root } from './reviewed.ts'

const DEFINED = kinds
  .flatMap(({ definition, resource: { group, kind } }) => (definition && group === 'k8s.tars.io' ? [kind] : []))
  .sort()
  .join(', ')

describe('what admission would say, like a compiler', () => {
  itSays([
    {
      name: 'each unknown field has its line, and the nearest name beside it or of that name elsewhere',
      content: pages({
        ...root('a'),
        metadata: { name: 'a', lables: {} },
        spec: { parent: 'a', content: '', contents: 'x', colour: 'red' },
        parent: 'a',
      }),
      says: [
        'FILE:5: metadata.lables: unknown field; the nearest is metadata.labels',
        'FILE:11: parent: unknown field; the nearest is spec.parent',
        'FILE:10: spec.colour: unknown field',
        'FILE:9: spec.contents: unknown field; the nearest is spec.content',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'rules are asked beside an unknown field',
      content: pages({ ...child('a', 'nowhere'), colour: 'red' }),
      says: [
        'FILE:10: colour: unknown field',
        'FILE:8: spec.parent: TTemplate demo/nowhere does not exist; create it first, or name another (TT-V2)',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what has an unknown field is not there for the next',
      content: pages({ ...root('a'), colour: 'red' }, child('b', 'a')),
      says: ['FILE:10: colour: unknown field', expect.stringContaining('demo/a'), '2 objects: 0 admitted, 2 refused'],
    },
    {
      name: 'an object without a name is refused',
      content: 'apiVersion: k8s.tars.io/v1beta2\nkind: TTemplate\nmetadata: {}\nspec: { parent: a, content: "" }\n',
      says: [
        'FILE:3: metadata.name: Required value: name or generateName is required',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'a kind without rules is taken as it is, with a note',
      content: pages(aSecret),
      says: [
        'FILE:1: note: Secret v1 is not ours to review, so it is taken as it is',
        '1 object: 0 admitted, 0 refused, 1 not ours',
      ],
    },
    {
      name: 'what is not ours is counted apart',
      content: pages(root('a'), aSecret, child('b', 'nowhere'), aSecret),
      says: [
        expect.stringContaining('note: Secret v1'),
        expect.stringContaining('TT-V2'),
        expect.stringContaining('note: Secret v1'),
        '4 objects: 1 admitted, 1 refused, 2 not ours',
      ],
    },
    ...[
      {
        ...{ apiVersion: 'k8s.tars.io/v1beta2', kind: 'Tserver' },
        says: ['FILE:2: kind: k8s.tars.io/v1beta2 has no Tserver; the nearest is TServer'],
      },
      {
        ...{ apiVersion: 'k8s.tars.io/v1beta9', kind: 'TTemplate' },
        says: ['FILE:1: apiVersion: k8s.tars.io/v1beta9 is not served; the nearest is k8s.tars.io/v1beta2'],
      },
      {
        ...{ apiVersion: 'k8s.tars.io/v1', kind: 'TConfigs' },
        says: [
          'FILE:1: apiVersion: k8s.tars.io/v1 is not served; the nearest is k8s.tars.io/v1beta2',
          'FILE:2: kind: k8s.tars.io/v1beta2 has no TConfigs; the nearest is TConfig',
        ],
      },
      {
        ...{ apiVersion: 'k8s.tars.io', kind: 'TTree' },
        says: ['FILE:1: apiVersion: k8s.tars.io is not served; the nearest is k8s.tars.io/v1beta2'],
      },
      {
        ...{ apiVersion: 'tars.io/v1beta2', kind: 'TTree' },
        says: ['FILE:1: apiVersion: tars.io/v1beta2 is not served; the nearest is k8s.tars.io/v1beta2'],
      },
      {
        ...{ apiVersion: 'v1', kind: 'TImage' },
        says: ['FILE:1: apiVersion: v1 is not served; the nearest is k8s.tars.io/v1beta2'],
      },
      {
        ...{ apiVersion: 'v1', kind: 'Tserver' },
        says: [
          'FILE:1: apiVersion: v1 is not served; the nearest is k8s.tars.io/v1beta2',
          'FILE:2: kind: k8s.tars.io/v1beta2 has no Tserver; the nearest is TServer',
        ],
      },
      {
        ...{ apiVersion: 'k8s.tars.io/v1beta2', kind: 'Gateway' },
        says: [`FILE:2: kind: k8s.tars.io/v1beta2 has no Gateway; it has ${DEFINED}`],
      },
    ].map(({ says, ...object }) => ({
      name: `${object.kind} ${object.apiVersion}, which no cluster serves, is refused with the nearest that there is`,
      content: pages({ ...object, metadata: { name: 'a' } }),
      says: [...says, '1 object: 0 admitted, 1 refused'],
    })),
    {
      name: 'a name that no kind of ours could have is not ours to judge',
      content: 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: "system:x" }\n',
      says: [expect.stringContaining('note: ClusterRole'), '1 object: 0 admitted, 0 refused, 1 not ours'],
    },
    {
      name: 'what is odd about the text is a warning',
      content: pages(root('a')).replace('kind: TTemplate', 'kind: TTemplate\nkind: TTemplate'),
      says: ['FILE:3: warning: this key stands there already; the last one counts', '1 object: 1 admitted, 0 refused'],
    },
  ])
})
