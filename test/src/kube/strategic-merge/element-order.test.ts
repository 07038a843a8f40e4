import { it } from 'vitest'
import {
  A,
  B,
  C,
  containers,
  finalizers,
  type MergeCase,
  ordered,
  REFUSED,
  showMerge,
} from '../../../support/merge-cases.ts'

/** The Go library gave the same for each row. */
const CASES: readonly MergeCase[] = [
  {
    name: 'SMP-DIR-ORDER-1 the order list orders what it names',
    of: containers(A, B),
    by: ordered([B, C, A], [C]),
    is: containers(B, C, A),
  },
  { name: 'SMP-DIR-ORDER-2 the patch keeps to it', of: containers(A), by: ordered([B, C], [C, B]), is: REFUSED },
  { name: 'SMP-DIR-ORDER-2 and to no more', of: containers(A), by: ordered([B], [B, C]), is: REFUSED },
  {
    name: 'SMP-DIR-ORDER-2 with elements that are deleted beside it',
    of: containers(A, B),
    by: ordered([A], [{ ...B, $patch: 'delete' }, A]),
    is: containers(A),
  },
  { name: 'SMP-DIR-ORDER-3 no list on either side', of: { spec: {} }, by: ordered([A]), is: { spec: {} } },
  {
    name: 'SMP-DIR-ORDER-3 a list of the original alone',
    of: containers(A, B),
    by: ordered([B, A]),
    is: containers(B, A),
  },
  {
    name: 'SMP-DIR-ORDER-3 a list of the patch alone',
    of: { spec: {} },
    by: ordered([B, A], [{ ...B, image: null }, { ...A, $patch: 'replace' }, A]),
    is: containers({ ...B, image: null }, A),
  },
  {
    name: 'SMP-ERR-KEY-2 in the order list too',
    of: { spec: {} },
    by: ordered([{ name: {} }], [{ name: {} }]),
    is: REFUSED,
  },
  {
    name: 'SMP-DIR-ORDER-4 of scalars',
    of: finalizers('a', 'b'),
    by: { metadata: { '$setElementOrder/finalizers': ['b', 'a'] } },
    is: finalizers('b', 'a'),
  },
  {
    name: 'SMP-DIR-ORDER-5 of a list',
    of: containers(A),
    by: { spec: { '$setElementOrder/containers': 'a' } },
    is: REFUSED,
  },
  { name: 'SMP-DIR-ORDER-5 of a known one', of: {}, by: { spec: {}, '$setElementOrder/x': [] }, is: REFUSED },
  {
    name: 'SMP-DIR-ORDER-5 of no objects without a key',
    of: { spec: { tolerations: [{}] } },
    by: { spec: { '$setElementOrder/tolerations': [{}] } },
    is: REFUSED,
  },
  { name: 'SMP-DIR-ORDER-6 of an element', of: containers(), by: ordered([A], []), is: REFUSED },
  {
    name: 'SMP-DIR-ORDER-6 which may be one that is deleted',
    of: containers(A),
    by: ordered([B], [{ ...A, $patch: 'delete' }]),
    is: containers(),
  },
  {
    name: 'SMP-ORD-5 a deleted element leaves its place to an added one',
    of: containers(A, B),
    by: ordered([C], [{ ...A, $patch: 'delete' }, C]),
    is: containers(B, C),
  },
  {
    name: 'SMP-ORD-5 and elements that a patch replaces take the order that deletions left',
    of: containers(B, A, C, B),
    by: ordered([], [A, B, { ...B, $patch: 'delete' }, { $patch: 'replace' }]),
    is: containers(A, B),
  },
  {
    name: 'SMP-ORD-2 what an earlier patch left to be deleted goes last',
    of: containers({ ...A, $patch: 'delete' }, B, A),
    by: containers({ ...A, tty: true }),
    is: containers(A, { ...A, $patch: 'delete', tty: true }, B),
  },
  {
    name: 'SMP-ORD-5 which stands first otherwise',
    of: containers(A, B),
    by: ordered([C], [C]),
    is: containers(C, A, B),
  },
]

it.each(CASES)('$name', showMerge)
