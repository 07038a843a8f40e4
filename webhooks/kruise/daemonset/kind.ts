import { defineKind, type Kind } from '../../kit/admission.ts'
import { object, resource } from '../../kit/schema.ts'
import { DAEMONSETS } from '../daemonsets.ts'
import { VALIDATE } from '../doors.ts'
import { PATCH_READS, patchRules } from './validate.ts'

/**
 * Without a schema: the API server or OpenKruise checks the rest of a DaemonSet, and the rules read its patches whatever
 * their shape.
 */
export const daemonSets: readonly Kind[] = DAEMONSETS.map((names) =>
  defineKind({
    resource: resource(names, object({})),
    doors: [VALIDATE],
    reads: PATCH_READS,
    validate: patchRules,
  }),
)
