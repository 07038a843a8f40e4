import { expect, it } from 'vitest'
import { strategicMerge } from '../../../../src/kube/strategic-merge/merge.ts'
import {
  A,
  args,
  B,
  containers,
  finalizers,
  labels,
  type MergeCase,
  REFUSED,
  showMerge,
  volumes,
} from '../../../support/merge-cases.ts'

/** The Go library gave the same for each row. */
const CASES: readonly MergeCase[] = [
  {
    name: 'SMP-DIR-REPLACE-1 replace leaves nothing of the original',
    of: labels({ a: '1' }),
    by: labels({ $patch: 'replace', b: '2' }),
    is: labels({ b: '2' }),
  },
  {
    name: 'SMP-DIR-REPLACE-2 and copies the patch, with its nulls',
    of: labels({ a: '1' }),
    by: labels({ $patch: 'replace', b: null }),
    is: labels({ b: null }),
  },
  {
    name: 'SMP-DIR-REPLACE-3 but of an absent object the whole value goes',
    of: {},
    by: labels({ $patch: 'replace', b: '2' }),
    is: { metadata: {} },
  },
  {
    name: 'SMP-DIR-DELETE-1 delete empties, whatever stands beside it',
    of: labels({ a: '1' }),
    by: labels({ $patch: 'delete', b: '2' }),
    is: labels({}),
  },
  {
    name: 'SMP-DIR-DELETE-2 delete of an absent object',
    of: {},
    by: labels({ $patch: 'delete' }),
    is: { metadata: {} },
  },
  {
    name: 'SMP-DIR-MERGE-1 merge is no directive of an object',
    of: labels({ a: '1' }),
    by: labels({ $patch: 'merge' }),
    is: REFUSED,
  },
  { name: 'SMP-DIR-ERR-1 nor is another word', of: labels({ a: '1' }), by: labels({ $patch: 'Delete' }), is: REFUSED },
  {
    name: 'SMP-DIR-RETAIN-1 what is not retained goes',
    of: labels({ a: '1', b: '2' }),
    by: labels({ $retainKeys: ['b', 'c'], c: '3' }),
    is: labels({ b: '2', c: '3' }),
  },
  {
    name: 'SMP-DIR-RETAIN-2 a key that is set must be listed',
    of: labels({ a: '1' }),
    by: labels({ $retainKeys: ['a'], c: '3' }),
    is: REFUSED,
  },
  {
    name: 'SMP-DIR-RETAIN-2 but not a null',
    of: labels({ a: '1', c: '3' }),
    by: labels({ $retainKeys: ['a'], c: null }),
    is: labels({ a: '1' }),
  },
  {
    name: 'SMP-DIR-RETAIN-3 whatever the strategy of the field',
    of: volumes({ ...A, hostPath: { path: '/' } }),
    by: volumes({ ...A, $retainKeys: ['name', 'emptyDir'], emptyDir: {} }),
    is: volumes({ ...A, emptyDir: {} }),
  },
  {
    name: 'SMP-NULL-1 a null deletes its key alone',
    of: labels({ a: '1', b: '2' }),
    by: labels({ a: null }),
    is: labels({ b: '2' }),
  },
  {
    name: 'SMP-NULL-2 of an absent key it does nothing',
    of: labels({ b: '2' }),
    by: labels({ a: null }),
    is: labels({ b: '2' }),
  },
  {
    name: 'SMP-NULL-3 an absent key takes the value without its nulls and elements with $patch',
    of: {},
    by: containers({ ...A, image: null }, { ...B, $patch: 'delete' }),
    is: containers(A),
  },
  {
    name: 'SMP-TYPE-1 another JSON type is replaced',
    of: { spec: { hostname: 'a' } },
    by: { spec: { hostname: { b: null } } },
    is: { spec: { hostname: {} } },
  },
  {
    name: 'SMP-MAP-1 objects merge key by key',
    of: labels({ a: '1', b: '2' }),
    by: labels({ a: '3' }),
    is: labels({ a: '3', b: '2' }),
  },
  {
    name: 'SMP-UNKNOWN-1 an unknown field is copied',
    of: { spec: {} },
    by: { spec: { x: { y: 1 } } },
    is: { spec: { x: { y: 1 } } },
  },
  { name: 'SMP-UNKNOWN-2 but not merged', of: { spec: { x: { y: 1 } } }, by: { spec: { x: { z: 1 } } }, is: REFUSED },
  {
    name: 'SMP-UNKNOWN-2 nor an object in a map of strings',
    of: labels({ a: {} }),
    by: labels({ a: {} }),
    is: REFUSED,
  },
  {
    name: 'SMP-UNKNOWN-3 a field in another case stands beside',
    of: containers(A),
    by: { spec: { Containers: [B] } },
    is: { spec: { containers: [A], Containers: [B] } },
  },
  {
    name: 'SMP-UNKNOWN-3 and merges as the field with itself',
    of: { spec: { Containers: [A] } },
    by: { spec: { Containers: [B] } },
    is: { spec: { Containers: [B, A] } },
  },
  {
    name: 'SMP-SCALAR-1 false, 0 and an empty string are values',
    of: { spec: { hostNetwork: true, priority: 1, hostname: 'a' } },
    by: { spec: { hostNetwork: false, priority: 0, hostname: '' } },
    is: { spec: { hostNetwork: false, priority: 0, hostname: '' } },
  },
  {
    name: 'SMP-DIR-DELPRIM-1 deletes each that is equal',
    of: finalizers('a', 'b', 'a'),
    by: { metadata: { '$deleteFromPrimitiveList/finalizers': ['a', 'c'] } },
    is: finalizers('b'),
  },
  {
    name: 'SMP-DIR-DELPRIM-2 of atomic lists too',
    of: args(['a', 'b']),
    by: containers({ ...A, '$deleteFromPrimitiveList/args': ['a'] }),
    is: args(['b']),
  },
  {
    name: 'SMP-DIR-DELPRIM-3 not where there is no list',
    of: containers(A),
    by: containers({ ...A, '$deleteFromPrimitiveList/args': ['a'] }),
    is: containers(A),
  },
  {
    name: 'SMP-DIR-DELPRIM-4 null deletes the list',
    of: args(['a']),
    by: containers({ ...A, '$deleteFromPrimitiveList/args': null }),
    is: containers(A),
  },
  {
    name: 'SMP-DIR-DELPRIM-5 not of objects without a key',
    of: { spec: { tolerations: [{ key: 'a' }] } },
    by: { spec: { '$deleteFromPrimitiveList/tolerations': [{}] } },
    is: REFUSED,
  },
  {
    name: 'SMP-DIR-ERR-2 $deleteFromPrimitiveList names a field',
    of: {},
    by: { $deleteFromPrimitiveList: ['a'] },
    is: REFUSED,
  },
  {
    name: 'SMP-DIR-ERR-2 and a slash without a field is a field of its own',
    of: { spec: { '$deleteFromPrimitiveList/': ['a'] } },
    by: { spec: { '$deleteFromPrimitiveList/': ['a'] } },
    is: REFUSED,
  },
  {
    name: 'SMP-ERR-KEY-2 a list whose keys are no scalars is not looked through',
    of: { spec: { containers: [A, { name: [] }] } },
    by: { spec: { '$deleteFromPrimitiveList/containers': [] } },
    is: REFUSED,
  },
  { name: 'SMP-DIR-ERR-2 $setElementOrder too', of: {}, by: { $setElementOrder: ['a'] }, is: REFUSED },
  { name: 'SMP-ERR-DOC-1 a patch is an object', of: {}, by: [], is: REFUSED },
  { name: 'SMP-ERR-DOC-2 null changes nothing', of: labels({ a: '1' }), by: null, is: labels({ a: '1' }) },
  { name: 'SMP-ERR-DOC-2 nor does {}', of: labels({ a: '1' }), by: {}, is: labels({ a: '1' }) },
  {
    name: 'SMP-QUIRK-4 $retainKeys of an absent object stays',
    of: {},
    by: labels({ $retainKeys: [] }),
    is: labels({ $retainKeys: [] }),
  },
]

it.each(CASES)('$name', showMerge)

it('SMP-DIR-DELPRIM-6 a value that is both added and deleted is deleted', () => {
  const both = { metadata: { finalizers: ['b', 'c'], '$deleteFromPrimitiveList/finalizers': ['b'] } }
  expect(strategicMerge(finalizers('a'), both)).toEqual(finalizers('c', 'a'))
})
