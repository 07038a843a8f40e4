import { defineKind, type Kind, type Mutation, type Rule } from '../kit/admission.ts'
import type { KubeObject } from '../kit/schema.ts'
import { MUTATING, VALIDATING } from './doors.ts'
import { annotated } from './rules.ts'
import { type Claimant, claimLabel, type HoldersOf, remoteByWorker, unclaimed } from './unique.ts'

interface CloudflareKind<T extends KubeObject> {
  readonly resource: Claimant<T>['resource']
  readonly description: string
  readonly shortNames: readonly string[]
  /** The field of the status with the remote id. */
  readonly id?: string
  /** With others that may claim the same, and the id of the rule that refuses it. */
  readonly claims?: {
    readonly own: Claimant<T>
    readonly others?: readonly Claimant<T>[]
    readonly holders?: readonly HoldersOf[]
    readonly refusedBy?: string
  }
  readonly mutate?: readonly Mutation<T>[]
  readonly rules?: readonly Rule<T>[]
}

/** What all kinds of the family have beside their own. */
export function cloudflareKind<T extends KubeObject>({
  resource,
  description,
  shortNames,
  id,
  claims,
  mutate = [],
  rules = [],
}: CloudflareKind<T>): Kind {
  const { own, others = [], holders = [], refusedBy } = claims ?? {}
  const claiming = own === undefined ? [] : [unclaimed(own, holders, refusedBy)]
  return defineKind<T>({
    resource,
    definition: {
      ...{ description, shortNames, writers: 'operators', subresources: { status: true } },
      columns: columnsOf(id),
    },
    doors: own === undefined && mutate.length === 0 ? [VALIDATING] : [MUTATING, VALIDATING],
    reads: own === undefined ? [] : [own, ...others].map((each) => ({ resource: each.resource, asks: ['list'] })),
    mutate: [...mutate, ...(own === undefined ? [] : [claimLabel(own.claim)])],
    validate: [...rules, annotated(), remoteByWorker(own, holders), ...claiming],
  })
}

const conditionOf = (type: string, field: string) => `.status.conditions[?(@.type=="${type}")].${field}`
type Columns = NonNullable<Kind['definition']>['columns']
function columnsOf(id: string | undefined): Columns {
  return [
    { name: 'Ready', type: 'string', path: conditionOf('Ready', 'status') },
    { name: 'Reason', type: 'string', path: conditionOf('Ready', 'reason') },
    { name: 'Conflict', type: 'string', path: conditionOf('Conflicted', 'status') },
    ...(id === undefined ? [] : [{ name: 'Id', type: 'string', path: `.status.${id}`, isWide: true } as const]),
  ]
}
