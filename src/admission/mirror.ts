import type { KubeObject, Resource } from '../cluster/port.ts'
import { isLabelValue } from '../kube/labels.ts'
import type { Draft } from '../schema.ts'
import type { Mutation } from './mutation.ts'
import type { Violation } from './verdict.ts'

/** A label that repeats a field, since look-ups select by labels. */
export interface Mirror<T> {
  readonly key: string
  readonly field: string
  readonly valueIn: (object: Draft<T>) => string | undefined
}

/** The labels of a stored object that do not repeat its fields: it was written past the mutations (WR-8). */
export function falseMirrors<T extends KubeObject>(
  { isDraft }: Resource<T>,
  mutations: readonly Mutation<T>[],
  object: unknown,
): readonly Violation[] {
  if (!isDraft(object)) return []
  const labels = object.metadata?.labels ?? {}
  return mutations.flatMap(({ id, mirror }) => {
    if (mirror === undefined) return []
    const { key, field, valueIn } = mirror
    const value = valueIn(object)
    const wanted = value !== undefined && isLabelValue(value) ? value : undefined
    return labels[key] === wanted ? [] : [falseMirror(id, key, field)]
  })
}

function falseMirror(id: string, key: string, field: string): Violation {
  const message = () => `the label does not repeat ${field}, so look-ups by label go wrong`
  return { path: `metadata.labels[${key}]`, rule: { id, on: 'write', message, remedy: REMEDY } }
}
const REMEDY = 'change any annotation of it, and the webhook sets the label'
