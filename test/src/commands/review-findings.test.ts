import { describe, expect } from 'vitest'
import { aServant, aTServer } from '../../support/builders/servers.ts'
import { child, itSays, pages, plain, root, tree } from './reviewed.ts'

describe('what admission would say, like a compiler', () => {
  itSays([
    {
      name: 'an admitted object is counted',
      content: pages(root('a')),
      says: ['1 object: 1 admitted, 0 refused'],
    },
    {
      name: 'a refused one is told by file, line, path, sentence, remedy and rule',
      content: pages(child('a', 'nowhere')),
      says: [
        'FILE:8: spec.parent: TTemplate demo/nowhere does not exist; create it first, or name another (TT-V2)',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'all that is wrong with an object is told at once',
      content: pages(child('a', 'p'.repeat(64))),
      says: [
        `FILE:8: spec.parent: TTemplate demo/${'p'.repeat(64)} does not exist; create it first, or name another (TT-V2)`,
        expect.stringMatching(/^FILE:8: spec\.parent: p+ does not fit into label .* \(TT-V6\)$/),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what is overruled is a warning, and what is filled in is none',
      content: pages(
        plain(aTServer({ server: 'Wish', normal: [], k8s: { replicas: 3 } })),
        plain(aTServer({ server: 'Calm', normal: [], spec: { k8s: {} } })),
      ),
      says: [
        'FILE:1: warning: spec.k8s.replicas: 3 becomes 0, for there is no release (TS-M6)',
        '2 objects: 2 admitted, 0 refused',
      ],
    },
    {
      name: 'one object does not stop the next',
      content: pages(child('a', 'nowhere'), root('b')),
      says: [expect.stringContaining('TT-V2'), '2 objects: 1 admitted, 1 refused'],
    },
    {
      name: 'a later one may refer to an earlier one',
      content: pages(root('a'), child('b', 'a')),
      says: ['2 objects: 2 admitted, 0 refused'],
    },
    {
      name: 'an earlier one may not refer to a later one',
      content: pages(child('b', 'a'), root('a')),
      says: [
        expect.stringContaining('FILE:8: spec.parent: TTemplate demo/a does not exist'),
        '2 objects: 1 admitted, 1 refused',
      ],
    },
    {
      name: 'a refused one is not there for the next',
      content: pages(child('a', 'nowhere'), child('b', 'a')),
      says: [
        expect.stringContaining('demo/nowhere'),
        expect.stringContaining('demo/a'),
        '2 objects: 0 admitted, 2 refused',
      ],
    },
    {
      name: 'what the schema refuses is told with its line',
      content: pages({ ...root('a'), spec: { parent: 'a', content: [] } }),
      says: [
        'FILE:9: spec.content: Invalid value: "array": spec.content in body must be of type string: "array"',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what the API server says of no field has its field: of what excludes each other, and of a number that is no integer',
      content: pages(plain(aTServer()))
        .replace('spec:', 'spec:\n  important: 1.5')
        .replace(
          '  k8s:',
          '  k8s:\n    mounts: [{ name: a, mountPath: /a, source: { emptyDir: {}, tLocalVolume: {} } }]',
        ),
      says: [
        expect.stringMatching(
          /^FILE:\d+: spec.k8s.mounts\[0\].source: must have exactly one of .*emptyDir.*; it has 2$/,
        ),
        'FILE:4: spec.important: Invalid value: "number": spec.important in body must be of type integer: "number"',
        expect.stringContaining('spec.tars.template: TTemplate demo/base does not exist'),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'rules are asked of the rest where an item of a list lacks a field, or has one of a wrong type',
      content: pages(plain(aTServer({ template: 'nowhere', servants: [aServant({ port: 19385 })] }))).replace(
        '  k8s:',
        [
          '  k8s:',
          '    mounts:',
          '      - { name: a, mountPath: /a, source: { hostPath: { path: /a } } }',
          '      - { name: b, mountPath: /a, readOnly: [], source: { emptyDir: {} } }',
        ].join('\n'),
      ),
      says: [
        'FILE:14: spec.k8s.mounts[0].source.hostPath.type: Required value',
        expect.stringMatching(/^FILE:15: spec.k8s.mounts\[1\].readOnly: .* must be of type boolean: "array"$/),
        expect.stringMatching(/^FILE:11: spec.tars.servants\[0\].port: 19385 is reserved for tarsnode; .* \(TS-V11\)$/),
        expect.stringMatching(
          /^FILE:15: spec.k8s.mounts\[1\].mountPath: \/a already used by mounts\[0\]; .* \(TS-V23\)$/,
        ),
        expect.stringMatching(/^FILE:8: spec.tars.template: TTemplate demo\/nowhere does not exist; .* \(TS-V15\)$/),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'a time in the wrong form is answered by a sentence with an example, beside whatever else',
      content: pages({
        ...tree(),
        businesses: [
          { name: 'retail', show: 101, createTime: '1.3.2026' },
          { name: 'more', createTime: 'now' },
        ],
      }),
      says: [
        expect.stringContaining('FILE:9: businesses[0].show: Invalid value: 101'),
        'FILE:11: businesses[1].show: Required value',
        'FILE:10: businesses[0].createTime: Invalid value: "1.3.2026": is no time; write one in the form of RFC 3339, like "2026-03-01T08:00:00Z"',
        expect.stringContaining('businesses[1].createTime: Invalid value: "now": is no time; '),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what goes beyond a limit is told beside what the rules refuse, and no line is of no field',
      content: pages({ ...plain(aTServer({ template: 'nowhere' })) }).replace('spec:', 'spec:\n  important: 99'),
      says: [
        'FILE:4: spec.important: Invalid value: 99: spec.important in body should be less than or equal to 20',
        expect.stringMatching(/^FILE:\d+: spec.tars.template: TTemplate demo\/nowhere does not exist; .* \(TS-V15\)$/),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'rules that the definition carries too are told once, whether it could be asked of them or not',
      content: pages({
        ...plain(aTServer({ template: 'base' })),
        metadata: { name: 'odd', namespace: 'demo' },
      }).replace('subType: tars', 'subType: unheard'),
      says: [
        'FILE:6: spec.subType: Unsupported value: "unheard": supported values: "tars", "normal"',
        expect.stringMatching(/^FILE:7: spec.tars: only allowed when .* \(TS-V5\)$/),
        expect.stringMatching(/^FILE:16: metadata.name: must be "demo-echo" .* \(TS-V6\)$/),
        expect.stringMatching(/^FILE:8: spec.tars.template: TTemplate demo\/base does not exist.* \(TS-V15\)$/),
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'what lacks its quotes is told so, and the rules are asked as if it had them',
      content: pages({ ...child('a', 'nowhere'), spec: { parent: 5, content: true } }).replace(
        'labels: {}',
        'labels: { a: 1 }',
      ),
      says: [
        'FILE:6: metadata.labels[a]: is a number, and a text belongs there; write it in quotes',
        'FILE:8: spec.parent: is a number, and a text belongs there; write it in quotes',
        'FILE:9: spec.content: is a boolean, and a text belongs there; write it in quotes',
        'FILE:8: spec.parent: TTemplate demo/5 does not exist; create it first, or name another (TT-V2)',
        '1 object: 0 admitted, 1 refused',
      ],
    },
    {
      name: 'a required field that is missing is told where it would stand',
      content: pages({ ...root('a'), spec: { parent: 'a' } }),
      says: ['FILE:7: spec.content: Required value', '1 object: 0 admitted, 1 refused'],
    },
  ])
})
