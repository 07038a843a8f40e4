import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { podTemplateOf } from '../../../../src/kube/strategic-merge/fields.ts'
import type { Tree } from '../../../../src/schema.ts'
import { documentFindings } from '../../../../webhooks/kruise/document/document.ts'
import { anyJson } from '../../../support/generated.ts'
import { pairsOf } from '../../../support/merge-pairs.ts'

type Row = [name: string, patch: Tree, found?: readonly [path: string, text: string]]
const container = (of: Tree) => ({ spec: { containers: [{ name: 'a', ...of }] } })
const IN = '.spec.containers[0]'

function show(id: string, patch: Tree, found: Row[2]): void {
  const expected = found === undefined ? [] : [{ id, path: found[0], text: found[1] }]
  expect(documentFindings(patch, { selectorKeys: [] })).toEqual(expected)
}

describe('PATCH-V-12 fields of their type, in their case', () => {
  it.each<Row>([
    ['a field', container({ image: 'x', imagePullPolicy: 'Always' })],
    ['any key of a map', { metadata: { annotations: { __proto: 'a', 'a.b/c': 'd' } } }],
    ['another case', container({ Image: 'x' }), [`${IN}.Image`, 'unknown field "Image", did you mean "image"']],
    ['a letter too many', container({ imagee: 'x' }), [`${IN}.imagee`, 'unknown field "imagee", did you mean "image"']],
    ['a letter too few', container({ imge: 'x' }), [`${IN}.imge`, 'unknown field "imge", did you mean "image"']],
    ['another letter', container({ imagr: 'x' }), [`${IN}.imagr`, 'unknown field "imagr", did you mean "image"']],
    ['two letters', container({ imxgr: 'x' }), [`${IN}.imxgr`, 'unknown field "imxgr"']],
    ['a directive', container({ $path: 'x' }), [`${IN}.$path`, 'unknown field "$path", did you mean "$patch"']],
    [
      'in an atomic list',
      { spec: { tolerations: [{ other: 'a' }] } },
      ['.spec.tolerations[0].other', 'unknown field "other"'],
    ],
    ['at the root', { Spec: {} }, ['.Spec', 'unknown field "Spec", did you mean "spec"']],
    ['a long one', { ['x'.repeat(99)]: {} }, [`.${'x'.repeat(63)}…`, `unknown field "${'x'.repeat(63)}…"`]],
    ['of a prototype', JSON.parse('{"spec":{"__proto__":{}}}'), ['.spec.__proto__', 'unknown field "__proto__"']],
  ])('%s', (_, patch, found) => show('PATCH-V-12', patch, found))

  it('of a newer cluster, whose table is given', () => {
    const fields = podTemplateOf({ PodTemplateSpec: { spec: 'PodSpec' }, PodSpec: { added: '[string]' } })
    expect(documentFindings({ spec: { added: ['a'] } }, { selectorKeys: [], fields })).toEqual([])
    expect(documentFindings({ spec: { added: ['a'] } }, { selectorKeys: [] })).toHaveLength(1)
  })
})

const LEVEL = 'the patch starts at the pod template; remove the level spec.template'
describe('PATCH-V-13 the root has metadata and spec alone', () => {
  it.each<Row>([
    ['both', { metadata: {}, spec: {} }],
    ['a level too many', { spec: { template: { spec: {} } } }, ['.spec.template', LEVEL]],
    ['apiVersion', { apiVersion: 'v1' }, ['.apiVersion', 'a patch has only metadata and spec']],
    ['kind', { kind: 'Pod' }, ['.kind', 'a patch has only metadata and spec']],
    ['status', { status: {} }, ['.status', 'a patch has only metadata and spec']],
  ])('%s', (_, patch, found) => show('PATCH-V-13', patch, found))
})

const directive = (name: string, why: string) => `directive ${name} has no effect here: ${why}`
const ATOMIC = 'the list is atomic: it is replaced as a whole'
const REPLACED = '$patch: replace takes what stands beside it as it is'
describe('PATCH-V-14 directives where they work', () => {
  it.each<Row>([
    ['of an object', container({ resources: { $patch: 'replace', limits: { cpu: 1 } } })],
    ['of a map', container({ resources: { limits: { $patch: 'delete' } } })],
    ['of an element', container({ env: [{ name: 'A', $patch: 'delete' }, { $patch: 'replace' }] })],
    ['$retainKeys', container({ livenessProbe: { $retainKeys: ['exec'], exec: { command: ['a'] } } })],
    ['$setElementOrder', { spec: { '$setElementOrder/volumes': [{ name: 'a' }] } }],
    ['of scalars', { metadata: { '$setElementOrder/finalizers': ['a/b'] } }],
    ['$deleteFromPrimitiveList', container({ '$deleteFromPrimitiveList/args': ['-v'] })],
    ['of a whole list', container({ '$deleteFromPrimitiveList/args': null })],
    [
      'another word',
      container({ resources: { $patch: 'merge' } }),
      [`${IN}.resources.$patch`, directive('$patch', 'its value is replace or delete')],
    ],
    [
      'replace of an element with other keys',
      container({ env: [{ name: 'A', $patch: 'replace' }] }),
      [`${IN}.env[0].$patch`, directive('$patch', 'replace drops the whole list, and this element with it')],
    ],
    [
      'an atomic list',
      { spec: { tolerations: [{ $patch: 'delete' }] } },
      ['.spec.tolerations[0].$patch', directive('$patch', ATOMIC)],
    ],
    [
      'below an atomic list',
      container({ envFrom: [{ configMapRef: { $retainKeys: [] } }] }),
      [`${IN}.envFrom[0].configMapRef.$retainKeys`, directive('$retainKeys', ATOMIC)],
    ],
    [
      'below replace',
      container({ livenessProbe: { $patch: 'replace', exec: { $patch: 'delete' } } }),
      [`${IN}.livenessProbe.exec.$patch`, directive('$patch', REPLACED)],
    ],
    [
      'the order of an atomic list',
      container({ '$setElementOrder/args': ['a'] }),
      [`${IN}[$setElementOrder/args]`, directive('$setElementOrder/args', ATOMIC)],
    ],
    [
      'the order of no list',
      { spec: { '$setElementOrder/hostname': ['a'] } },
      [
        '.spec[$setElementOrder/hostname]',
        directive('$setElementOrder/hostname', 'the field that it names is no list'),
      ],
    ],
    [
      'the order of nothing',
      { spec: { $setElementOrder: [] } },
      ['.spec.$setElementOrder', directive('$setElementOrder', 'it names no field')],
    ],
    [
      'no order',
      { spec: { '$setElementOrder/volumes': {} } },
      ['.spec[$setElementOrder/volumes]', directive('$setElementOrder/volumes', 'it takes an array')],
    ],
    [
      'an order without keys',
      { spec: { '$setElementOrder/volumes': ['a'] } },
      [
        '.spec[$setElementOrder/volumes]',
        directive('$setElementOrder/volumes', 'it takes objects with the merge key "name"'),
      ],
    ],
    [
      'an order of objects among scalars',
      { metadata: { '$setElementOrder/finalizers': [{}] } },
      [
        '.metadata[$setElementOrder/finalizers]',
        directive('$setElementOrder/finalizers', 'it takes the values of the list'),
      ],
    ],
    [
      'a deletion of objects',
      { spec: { '$deleteFromPrimitiveList/volumes': ['a'] } },
      [
        '.spec[$deleteFromPrimitiveList/volumes]',
        directive(
          '$deleteFromPrimitiveList/volumes',
          'the list holds objects; delete one with $patch: delete in an element',
        ),
      ],
    ],
    [
      'a deletion of no scalars',
      container({ '$deleteFromPrimitiveList/args': [{}] }),
      [
        `${IN}[$deleteFromPrimitiveList/args]`,
        directive('$deleteFromPrimitiveList/args', 'it takes an array of scalars'),
      ],
    ],
    [
      'no keys to retain',
      container({ resources: { $retainKeys: [1] } }),
      [`${IN}.resources.$retainKeys`, directive('$retainKeys', 'it takes an array of strings')],
    ],
  ])('%s', (_, patch, found) => show('PATCH-V-14', patch, found))
})

describe('PATCH-V-15 values of their type', () => {
  it.each<Row>([
    ['null of what is optional', container({ image: null, env: null, resources: { limits: { cpu: null } } })],
    ['a quantity', container({ resources: { limits: { cpu: 1, memory: '1Gi' }, requests: { cpu: '100m' } } })],
    [
      'a port or its name',
      container({ livenessProbe: { tcpSocket: { port: 'http' } }, readinessProbe: { tcpSocket: { port: 80 } } }),
    ],
    ['null of what is required', { spec: { containers: null } }, ['.spec.containers', 'expected array, got null']],
    ['a string', container({ image: 1 }), [`${IN}.image`, 'expected string, got integer']],
    ['a boolean', { spec: { hostNetwork: 'yes' } }, ['.spec.hostNetwork', 'expected boolean, got string']],
    [
      'an integer',
      { spec: { terminationGracePeriodSeconds: 1.5 } },
      ['.spec.terminationGracePeriodSeconds', 'expected integer, got number'],
    ],
    [
      'of 32 bits',
      container({ livenessProbe: { periodSeconds: 2 ** 31 } }),
      [`${IN}.livenessProbe.periodSeconds`, 'expected 32-bit integer, got integer'],
    ],
    [
      'a quantity of another kind',
      container({ resources: { limits: { cpu: '1 core' } } }),
      [`${IN}.resources.limits.cpu`, 'expected quantity, got "1 core"'],
    ],
    [
      'a port',
      container({ livenessProbe: { tcpSocket: { port: true } } }),
      [`${IN}.livenessProbe.tcpSocket.port`, 'expected integer or string, got boolean'],
    ],
    [
      'a choice',
      { spec: { dnsPolicy: 'default' } },
      ['.spec.dnsPolicy', 'expected "ClusterFirst" or "ClusterFirstWithHostNet" or "Default" or "None", got "default"'],
    ],
    [
      'a long choice',
      container({ lifecycle: { stopSignal: 9 } }),
      [`${IN}.lifecycle.stopSignal`, expect.stringMatching(/ or another of its values, got integer$/)],
    ],
    ['an object', container({ resources: [] }), [`${IN}.resources`, 'expected object, got array']],
    ['a map', { metadata: { labels: 'a' } }, ['.metadata.labels', 'expected object, got string']],
    ['its values', { metadata: { labels: { size: 1 } } }, ['.metadata.labels.size', 'expected string, got integer']],
    ['a list', container({ args: 'a' }), [`${IN}.args`, 'expected array, got string']],
    ['its elements', container({ args: ['a', null] }), [`${IN}.args[1]`, 'expected string, got null']],
    ['elements with a key', { spec: { containers: ['a'] } }, [`${IN}`, 'expected object, got string']],
    [
      'a key',
      container({ ports: [{ containerPort: '80' }] }),
      [`${IN}.ports[0].containerPort`, 'expected 32-bit integer, got string'],
    ],
  ])('%s', (_, patch, found) => show('PATCH-V-15', patch, found))
})

describe('PATCH-V-16 elements have their merge key', () => {
  it.each<Row>([
    ['a key', { spec: { hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }] } }],
    ['none with replace', { spec: { volumes: [{ $patch: 'replace' }] } }],
    ['none of an atomic list', { spec: { readinessGates: [{ conditionType: 'a' }] } }],
    ['none', { spec: { containers: [{ image: 'x' }] } }, [IN, 'missing merge key "name"']],
    ['null', { spec: { containers: [{ name: null }] } }, [IN, 'missing merge key "name"']],
    ['an object', { spec: { containers: [{ name: {} }] } }, [IN, 'missing merge key "name"']],
    [
      'with delete',
      container({ volumeMounts: [{ name: 'a', $patch: 'delete' }] }),
      [`${IN}.volumeMounts[0]`, 'missing merge key "mountPath"'],
    ],
  ])('%s', (_, patch, found) => show('PATCH-V-16', patch, found))
})

it('a patch has at most 100 findings', () => {
  const patch = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x${i}`, 1]))
  expect(documentFindings(patch, { selectorKeys: [] })).toHaveLength(100)
})

it('whatever a patch holds is judged, and not changed', () => {
  const patches = fc.oneof(
    fc.integer().map((seed) => pairsOf(seed)().patch),
    fc.dictionary(fc.constantFrom('metadata', 'spec', '$patch', '__proto__'), anyJson),
  )
  fc.assert(
    fc.property(patches, (patch) => {
      const before = JSON.stringify(patch)
      for (const { path, text } of documentFindings(patch, { selectorKeys: ['a'] }))
        expect(path.length + text.length).toBeLessThan(1_000)
      expect(JSON.stringify(patch)).toBe(before)
    }),
    { numRuns: 500 },
  )
})
