import type { Create, Delete, Raw, RequestInfo, Update } from '../../../src/admission/change.ts'
import type { Intent } from '../../../src/admission/consequence.ts'
import type { Door } from '../../../src/admission/door.ts'
import type { Rule, RuleOn } from '../../../src/admission/rule.ts'
import type { Built } from '../../../src/cluster/port.ts'
import { NOTHING_KNOWN } from '../../../src/fact.ts'
import { defineKind, type Kind, type Parts } from '../../../src/kind.ts'
import { MUTATING, SETTINGS, VALIDATING } from '../answerer-parts.ts'
import { UID } from '../reviews.ts'
import { GADGET, type Gadget } from './gadget.ts'

/** Small numbers and lists are all that the made-up rules ask for. */
export function aGadget(spec: Partial<Gadget['spec']> = {}): Gadget & Built {
  return {
    apiVersion: 'test.tars.io/v1',
    kind: 'Gadget',
    metadata: { name: 'g', namespace: 'demo' },
    spec: { title: 'a gadget', ...spec },
  }
}

const ASKED: RequestInfo = {
  uid: UID,
  settings: SETTINGS,
  facts: NOTHING_KNOWN,
  user: { name: 'ann', among: [] },
  namespace: 'demo',
  dryRun: false,
  at: new Date('2026-11-18T12:00:00Z'),
  profile: 'seed',
}
export const created = (next: Gadget, requested?: Partial<RequestInfo>): Create<Gadget> => ({
  ...ASKED,
  ...requested,
  operation: 'CREATE',
  next,
})
export const updated = (prev: Gadget, next: Gadget, requested?: Partial<RequestInfo>): Update<Gadget> => ({
  ...ASKED,
  ...requested,
  operation: 'UPDATE',
  prev,
  next,
})
export const deleted = (prev: Gadget, requested?: Partial<RequestInfo>): Delete<Gadget> => ({
  ...ASKED,
  ...requested,
  operation: 'DELETE',
  prev,
})
/** As it was sent, of anything. */
export function sent(operation: Raw['operation'], parts: Partial<Raw>): Raw {
  return { ...ASKED, operation, object: null, oldObject: null, ...parts }
}

type OnWrite = RuleOn<'write', Create<Gadget> | Update<Gadget>>

/** Refuses each number of spec.levels above one; what else is said of it is the case's. */
export function aRule(wishes: Partial<OnWrite> = {}): Rule<Gadget> {
  return {
    id: 'XX-V1',
    on: 'write',
    check: ({ next }) => high(next),
    message: ({ value }) => `${value} is too high`,
    remedy: 'take a lower one',
    ...wishes,
  }
}
export function high({ spec: { levels = {} } }: Gadget) {
  const found = Object.entries(levels).filter(([, level]) => level > 1)
  return found.map(([name, value]) => ({ path: `spec.levels[${name}]`, value }))
}

const DOOR = {
  failurePolicy: 'Fail',
  timeoutSeconds: 10,
  sideEffects: 'None',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
} as const
const DOORS: readonly Door[] = [
  { ...DOOR, name: 'mutating.test', path: MUTATING, phase: 'mutate', reinvocation: 'IfNeeded' },
  { ...DOOR, name: 'validating.test', path: VALIDATING, phase: 'validate' },
]

export function aKind(parts: Partial<Parts<Gadget>> = {}): Kind {
  return defineKind({ resource: GADGET, doors: DOORS, ...parts })
}

/** Rules that a CustomResourceDefinition carries in CEL. */
export const TWINS: readonly Rule<Gadget>[] = [
  {
    id: 'GX-V1',
    on: 'update',
    cel: { at: 'spec.maker', holds: 'self == oldSelf' },
    check: ({ prev, next }) =>
      prev.spec.maker === next.spec.maker ? [] : [{ path: 'spec.maker', value: next.spec.maker ?? '' }],
    message: () => 'is set once',
    remedy: 'make another gadget for the other "maker"',
  },
  {
    id: 'GX-V2',
    on: 'create',
    cel: {
      at: '',
      fieldPath: '.metadata.name',
      holds:
        'oldSelf.hasValue() || !has(self.spec.maker) || self.metadata.name.startsWith(self.spec.maker.lowerAscii())',
      says: '"must begin with \\"" + self.spec.maker.lowerAscii() + "\\""',
      optionalOldSelf: true,
    },
    check: ({ next: { metadata, spec } }) =>
      metadata.name.startsWith(spec.maker?.toLowerCase() ?? '')
        ? []
        : [{ path: 'metadata.name', value: spec.maker?.toLowerCase() ?? '' }],
    message: ({ value }) => `must begin with "${value}"`,
    remedy: 'take another name',
  },
]

/** As a cluster knows gadgets: with their definition, and no webhook. */
export const DEFINED: Kind = aKind({
  doors: [],
  definition: {
    description: 'Made up.',
    writers: 'authors',
    shortNames: [],
    columns: [],
    subresources: { status: true },
  },
  validate: TWINS,
})

/** Marks the gadget of that name, and is not called for any more when it is asked again. */
export const aMark = (name: string): Intent => ({
  action: {
    do: 'merge',
    of: GADGET,
    ref: { namespace: 'demo', name },
    expects: { uid: 'u', resourceVersion: '1' },
    patch: { metadata: { labels: { marked: '' } } },
    because: 'XX-S1',
  },
  again: async () => undefined,
})
