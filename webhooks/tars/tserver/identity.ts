import type { Finding, Findings, Rule, Update } from '../../kit/admission.ts'
import type { TServer } from './schema.ts'
import { nameOf, type Spec } from './shape.ts'

const LONGEST_NAME = 58
/** A StatefulSet labels its pods with its own name and ten more characters. */
const LONGEST_OF_PODS = 52

/** These fields identify a server, so they are immutable. */
function immutable(id: string, field: 'app' | 'server' | 'subType'): Rule<TServer> {
  const path = `spec.${field}`
  return {
    id,
    field: path,
    on: 'update',
    cel: { at: path, holds: 'self == oldSelf' },
    check: ({ next, prev }) => (next.spec[field] === prev.spec[field] ? [] : [{ path, value: next.spec[field] }]),
    message: () => 'field is immutable',
    remedy: 'create another TServer instead',
  }
}

export const identityRules: readonly Rule<TServer>[] = [
  immutable('TS-V1', 'app'),
  immutable('TS-V2', 'server'),
  immutable('TS-V3', 'subType'),
  {
    id: 'TS-V4',
    field: 'spec.tars, spec.normal',
    on: 'update',
    check: movedBlocks,
    message: ({ path, value }) =>
      value === 'removed'
        ? 'block cannot be removed'
        : `block cannot be added to a ${path === 'spec.tars' ? 'normal' : 'tars'} server`,
    examples: [
      { path: 'spec.tars', value: 'removed' },
      { path: 'spec.normal', value: 'added' },
    ],
    remedy: 'create another TServer instead',
  },
  {
    id: 'TS-V5',
    field: 'spec.tars, spec.normal',
    on: 'write',
    check: ({ next }) => blocksOfAnother(next.spec),
    message: ({ path, value }) => {
      const block = path.replace('spec.', '')
      return block === value
        ? `required when spec.subType is "${value}"`
        : `only allowed when spec.subType is "${block}"`
    },
    examples: [
      { path: 'spec.normal', value: 'tars' },
      { path: 'spec.tars', value: 'normal' },
      { path: 'spec.tars', value: 'tars' },
    ],
    remedy: 'give the block that spec.subType names, and not the other',
  },
  {
    id: 'TS-V6',
    field: 'metadata.name',
    on: 'create', // app and server are immutable (TS-V1, TS-V2)
    holds: true,
    cel: {
      at: '',
      fieldPath: '.metadata.name',
      optionalOldSelf: true,
      holds:
        "oldSelf.hasValue() || self.metadata.name == self.spec.app.lowerAscii() + '-' + self.spec.server.lowerAscii()",
      says:
        "'must be \"' + self.spec.app.lowerAscii() + '-' + self.spec.server.lowerAscii() + '\" for app \"' + self.spec.app + " +
        "'\" and server \"' + self.spec.server + '\"'",
    },
    check: ({ next }) => misnamed(next),
    message: ({ value }) => `must be ${value}`,
    remedy: 'use that name',
  },
  {
    id: 'TS-V7',
    field: 'metadata.name',
    on: 'create',
    holds: true,
    cel: {
      at: '',
      fieldPath: '.metadata.name',
      optionalOldSelf: true,
      holds: `oldSelf.hasValue() || size(self.metadata.name) <= ${LONGEST_NAME}`,
    },
    check: ({ next }) => overlong(next),
    message: () => `must be at most ${LONGEST_NAME} characters`,
    remedy: 'shorten spec.app or spec.server',
  },
  {
    id: 'TS-W1',
    field: 'metadata.name',
    on: 'write',
    effect: 'warn',
    when: ({ next }) => next.spec.k8s.daemonSet !== true,
    check: ({ next }) => (next.metadata.name.length > LONGEST_OF_PODS ? [{ path: 'metadata.name' }] : []),
    message: () => `over ${LONGEST_OF_PODS} characters, so no pods can be created`,
    remedy: 'shorten app or server',
  },
]

export function misnamed({ metadata, spec }: TServer): Findings {
  const { app, server } = spec
  const name = nameOf(spec)
  return metadata.name === name
    ? []
    : [{ path: 'metadata.name', value: `"${name}" for app "${app}" and server "${server}"` }]
}

export const overlong = ({ metadata }: TServer): Findings =>
  metadata.name.length > LONGEST_NAME ? [{ path: 'metadata.name' }] : []

const BLOCKS = ['tars', 'normal'] as const

/** The schema already requires spec.k8s. */
function movedBlocks({ next, prev }: Update<TServer>): readonly Finding[] {
  return BLOCKS.flatMap((block) => {
    const [is, was] = [next.spec[block] !== undefined, prev.spec[block] !== undefined]
    return is === was ? [] : [{ path: `spec.${block}`, value: is ? 'added' : 'removed' }]
  })
}

function blocksOfAnother(spec: Spec): readonly Finding[] {
  const wrong = BLOCKS.filter((block) => (spec[block] !== undefined) !== (block === spec.subType))
  return wrong.map((block) => ({ path: `spec.${block}`, value: spec.subType }))
}
