import type { Finding, Rule } from '../../kit/admission.ts'
import { repeated } from '../repeated.ts'
import { TIMEZONE, WORK_DIR } from './reserved.ts'
import type { TServer } from './schema.ts'
import { CLAIMS, isTars, type Mount, mountsOf, type Spec } from './shape.ts'

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
/** The volumes that the controller adds. */
const addedTo = (spec: Spec) => (isTars(spec) ? [TIMEZONE, WORK_DIR] : [TIMEZONE])

export const mountRules: readonly Rule<TServer>[] = [
  {
    id: 'TS-V14',
    field: 'spec.k8s.mounts[].name',
    on: 'write',
    check: ({ next }) =>
      repeated(mountsOf(next.spec), ({ name }) => name).map(({ item, at, firstAt }) => ({
        path: pathOf(at, 'name'),
        value: item.name,
        by: [`mounts[${firstAt}]`],
      })),
    message: ({ value, by = [] }) => `"${value}" duplicates ${by.join()}`,
    remedy: 'give each a name of its own',
  },
  {
    id: 'TS-V19',
    field: 'spec.k8s.daemonSet',
    on: 'write',
    when: ({ next }) => next.spec.k8s.daemonSet === true,
    check: ({ next }) => claims(next.spec),
    message: () => 'not allowed when spec.k8s.daemonSet is true',
    remedy: 'use another source, hostPath or emptyDir',
  },
  {
    id: 'TS-V22',
    field: 'spec.k8s.mounts[].name',
    on: 'write',
    check: ({ next }) => badNames(next.spec),
    message: ({ value, by }) => (by ? `"${value}" is reserved` : `"${value}" must be a lower-case DNS label`),
    examples: [
      { path: 'spec.k8s.mounts[0].name', value: '<value>' },
      { path: 'spec.k8s.mounts[0].name', value: '<value>', by: [''] },
    ],
    remedy: 'take another name, of small letters, digits and -',
  },
  {
    id: 'TS-V23',
    field: 'spec.k8s.mounts[].mountPath, spec.k8s.mounts[].subPathExpr',
    on: 'write',
    check: ({ next }) => badPaths(next.spec),
    message: ({ path, value, by }) => {
      if (path.endsWith('.subPathExpr')) return 'cannot stand together with subPath'
      return by ? `${value} already used by ${by.join()}` : `${value} is reserved`
    },
    examples: [
      { path: 'spec.k8s.mounts[0].mountPath', value: '<value>', by: ['<names>'] },
      { path: 'spec.k8s.mounts[0].mountPath', value: '<value>' },
      { path: 'spec.k8s.mounts[0].subPathExpr' },
    ],
    remedy: 'give each mount a path of its own, and one of subPath and subPathExpr at most',
  },
  {
    id: 'TS-W2',
    field: 'spec.k8s.mounts[].source',
    on: 'write',
    effect: { seed: 'refuse', upstream: 'warn' },
    when: ({ next }) => !isTars(next.spec),
    check: ({ next }) => claims(next.spec),
    message: () => 'only for spec.subType "tars"',
    remedy: 'use another source',
  },
]

const pathOf = (at: number, field: string) => `spec.k8s.mounts[${at}].${field}`

/** The value is the name of the mount, so that an update tells one mount from another (TS-W2). */
function claims(spec: Spec): readonly Finding[] {
  return mountsOf(spec).flatMap(({ name, source }, at) =>
    CLAIMS.filter((kind) => source[kind] !== undefined).map((kind) => ({
      path: pathOf(at, `source.${kind}`),
      value: name,
    })),
  )
}

function badNames(spec: Spec): readonly Finding[] {
  const reserved: readonly string[] = addedTo(spec).map(({ name }) => name)
  return mountsOf(spec).flatMap(({ name }, at): readonly Finding[] => {
    const finding = { path: pathOf(at, 'name'), value: name }
    if (reserved.includes(name)) return [{ ...finding, by: ['the controller'] }]
    return LABEL.test(name) ? [] : [finding]
  })
}

function badPaths(spec: Spec): readonly Finding[] {
  const mounts = mountsOf(spec)
  const taken = repeated(mounts, ({ mountPath }) => bare(mountPath)).map(({ item, at, firstAt }) => ({
    path: pathOf(at, 'mountPath'),
    value: legible(item.mountPath),
    by: [`mounts[${firstAt}]`],
  }))
  return [...taken, ...mounts.flatMap((mount, at) => badOf(mount, at, spec))]
}

/** Quotes a path that is empty or contains blanks, so that it stands out from the text around it. */
const legible = (path: string) => (/^\S+$/.test(path) ? path : JSON.stringify(path))

function badOf({ mountPath, subPath, subPathExpr }: Mount, at: number, spec: Spec): readonly Finding[] {
  const isReserved = addedTo(spec).some(({ path }) => path === bare(mountPath))
  return [
    ...(isReserved ? [{ path: pathOf(at, 'mountPath'), value: mountPath }] : []),
    ...(subPath && subPathExpr ? [{ path: pathOf(at, 'subPathExpr'), value: subPathExpr }] : []),
  ]
}

/** A trailing slash does not make a different path. A regular expression would take quadratic time (SV-17). */
function bare(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}
