import { it } from 'vitest'
import {
  A,
  args,
  B,
  C,
  containers,
  finalizers,
  type MergeCase,
  REFUSED,
  showMerge,
  volumes,
} from '../../../support/merge-cases.ts'

/** The Go library gave the same for each row. */
const CASES: readonly MergeCase[] = [
  {
    name: 'SMP-LIST-ATOMIC-1 an atomic list is replaced',
    of: args(['a']),
    by: args(['b', null]),
    is: args(['b', null]),
  },
  {
    name: 'SMP-LIST-MERGE-1 an element is merged into that of its key',
    of: containers({ ...A, image: 'x' }, B),
    by: containers({ ...A, tty: true }),
    is: containers({ ...A, image: 'x', tty: true }, B),
  },
  { name: 'SMP-LIST-MERGE-2 another one is added', of: containers(A), by: containers(B), is: containers(B, A) },
  { name: 'SMP-LIST-MERGE-3 an empty list changes nothing', of: containers(A), by: containers(), is: containers(A) },
  { name: 'SMP-LIST-MERGE-3 nor do two', of: containers(), by: containers(), is: containers() },
  {
    name: 'SMP-LIST-MERGE-4 the first of duplicates takes all',
    of: containers(B, A, { ...A, tty: true }),
    by: containers({ ...A, image: 'x' }, { ...A, stdin: true }),
    is: containers(B, { ...A, image: 'x', stdin: true }, { ...A, tty: true }),
  },
  { name: 'SMP-ERR-TYPE-1 elements have one type', of: finalizers('a'), by: finalizers(1), is: REFUSED },
  { name: 'SMP-ERR-TYPE-1 an integer is no fraction', of: finalizers(1), by: finalizers(1.5), is: REFUSED },
  { name: 'SMP-ERR-TYPE-1 a null is none', of: containers(A), by: containers(null), is: REFUSED },
  { name: 'SMP-ERR-TYPE-1 a list is none', of: finalizers([]), by: finalizers([]), is: REFUSED },
  { name: 'SMP-ERR-TYPE-1 scalars have no key', of: containers('a'), by: containers('b'), is: REFUSED },
  {
    name: 'SMP-DIR-DELETE-3 delete takes all of that key',
    of: containers(A, B, A),
    by: containers({ ...A, $patch: 'delete' }),
    is: containers(B),
  },
  {
    name: 'SMP-DIR-DELETE-3 or none',
    of: containers(B),
    by: containers({ ...A, $patch: 'delete' }),
    is: containers(B),
  },
  {
    name: 'SMP-DIR-REPLACE-4 replace leaves the other elements of the patch',
    of: containers(A),
    by: containers(B, { $patch: 'replace' }, { ...C, $patch: 'delete' }),
    is: containers(B),
  },
  {
    name: 'SMP-DIR-REPLACE-5 and not its own',
    of: containers(A),
    by: containers({ ...A, image: 'x', $patch: 'replace' }),
    is: containers(),
  },
  {
    name: 'SMP-DIR-REPLACE-4 of an original whose elements have no key too',
    of: containers({ image: 'x' }),
    by: containers(B, { $patch: 'replace' }),
    is: containers(B),
  },
  {
    name: 'SMP-DIR-MERGE-2 merge is no directive of an element',
    of: containers(A),
    by: containers({ ...A, $patch: 'merge' }),
    is: REFUSED,
  },
  {
    name: 'SMP-KEY-EQ-1 80 is not "80"',
    of: containers({ ...A, ports: [{ containerPort: 80 }] }),
    by: containers({ ...A, ports: [{ containerPort: '80' }] }),
    is: containers({ ...A, ports: [{ containerPort: '80' }, { containerPort: 80 }] }),
  },
  {
    name: 'SMP-ERR-KEY-1 an element has its merge key',
    of: containers(A),
    by: containers({ image: 'x' }),
    is: REFUSED,
  },
  { name: 'SMP-ERR-KEY-2 which is a scalar', of: containers(A), by: containers({ name: {} }), is: REFUSED },
  {
    name: 'SMP-LIST-SET-1 scalars are united',
    of: finalizers('a', 'b'),
    by: finalizers('b', 'c', 'c'),
    is: finalizers('a', 'b', 'c'),
  },
  {
    name: 'SMP-LIST-SET-1 of duplicates the last takes the place',
    of: finalizers('a', 'a', 'b', 'c'),
    by: finalizers(),
    is: finalizers('a', 'c', 'b'),
  },
  {
    name: 'SMP-ORD-1 what the patch names is apart from the rest',
    of: containers(A, B, C),
    by: containers(C, A),
    is: containers(B, C, A),
  },
  { name: 'SMP-ORD-2 and in its order', of: containers(A, B), by: containers(B, A), is: containers(B, A) },
  {
    name: 'SMP-ORD-3 the rest goes first where it stood before',
    of: containers(A, B, C),
    by: containers(B),
    is: containers(A, B, C),
  },
  {
    name: 'SMP-QUIRK-1 an added element keeps its nulls and directives',
    of: containers(A),
    by: containers({ ...B, image: null, resources: { $patch: 'replace' } }),
    is: containers({ ...B, image: null, resources: { $patch: 'replace' } }, A),
  },
  {
    name: 'SMP-QUIRK-2 delete goes where the list is absent',
    of: {},
    by: containers({ ...A, $patch: 'delete' }),
    is: containers(),
  },
  {
    name: 'SMP-QUIRK-3 a directive in an atomic list stays',
    of: { spec: { tolerations: [] } },
    by: { spec: { tolerations: [{ $patch: 'delete' }] } },
    is: { spec: { tolerations: [{ $patch: 'delete' }] } },
  },
  {
    name: 'SMP-TRAP-1 value and valueFrom',
    of: containers({ ...A, env: [{ name: 'E', value: '1' }] }),
    by: containers({ ...A, env: [{ name: 'E', valueFrom: {} }] }),
    is: containers({ ...A, env: [{ name: 'E', value: '1', valueFrom: {} }] }),
  },
  {
    name: 'SMP-TRAP-2 a port of two protocols',
    of: containers({
      ...A,
      ports: [
        { containerPort: 53, protocol: 'TCP' },
        { containerPort: 53, protocol: 'UDP' },
      ],
    }),
    by: containers({ ...A, ports: [{ containerPort: 53, protocol: 'UDP', name: 'x' }] }),
    is: containers({
      ...A,
      ports: [
        { containerPort: 53, protocol: 'UDP', name: 'x' },
        { containerPort: 53, protocol: 'UDP' },
      ],
    }),
  },
  {
    name: 'SMP-TRAP-3 two sources of a volume',
    of: volumes({ ...A, emptyDir: {} }),
    by: volumes({ ...A, hostPath: { path: '/' } }),
    is: volumes({ ...A, emptyDir: {}, hostPath: { path: '/' } }),
  },
  {
    name: 'SMP-SEED-1 the environment of a container',
    of: containers({ ...A, image: 'x' }),
    by: containers({ ...A, env: [{ name: 'SIZE', value: 'large' }] }),
    is: containers({ ...A, image: 'x', env: [{ name: 'SIZE', value: 'large' }] }),
  },
]

it.each(CASES)('$name', showMerge)
