import {
  type FieldType,
  POD_FIELDS,
  POD_TEMPLATE,
  podTemplateOf,
  united,
} from '../../../src/kube/strategic-merge/fields.ts'
import { type FieldNotes, fieldNotesIn } from '../../../src/kube/strategic-merge/openapi.ts'
import type { Fact, Facts } from '../../kit/controller.ts'
import { isTree } from '../../kit/schema.ts'

/** The fields of pod templates of this cluster, which may be newer than this release (PATCH-V-12). */
export const CLUSTER_FIELDS: Fact<FieldNotes> = {
  name: 'pod-fields',
  everyMs: 600_000,
  needs: [],
  until: {},
  is: isNotes,
  ask: async ({ openApi }) => fieldNotesIn(await openApi('api/v1')),
}

function isNotes(value: unknown): value is FieldNotes {
  return isTree(value) && Object.values(value).every(isTree)
}

const templates = new WeakMap<FieldNotes, FieldType>()

/** PodTemplateSpec with the fields of this release and those of the cluster. */
export function podTemplateIn(facts: Facts): FieldType {
  const notes = facts.get(CLUSTER_FIELDS)
  if (notes === CLUSTER_FIELDS.until) return POD_TEMPLATE
  const template = templates.get(notes) ?? podTemplateOf(united(POD_FIELDS, notes))
  templates.set(notes, template)
  return template
}
