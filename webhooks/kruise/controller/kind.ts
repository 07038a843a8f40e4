import { defineKind, type Kind } from '../../kit/admission.ts'
import { KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA } from '../daemonsets.ts'
import { VALIDATE_CONTROLLED } from '../doors.ts'
import { MUTATING_CONFIGURATION } from './resources.ts'
import { KRUISE_CONFIGURATION } from './rival.ts'
import { CONTROLLED } from './validate.ts'

const rules = [CONTROLLED]

/** The DaemonSets of the built-in controller (PATCH-CTL-4). */
export const controlled: readonly Kind[] = [KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA].map((resource) =>
  defineKind({
    resource,
    doors: [VALIDATE_CONTROLLED],
    reads: [{ resource: MUTATING_CONFIGURATION, asks: ['get'], names: [KRUISE_CONFIGURATION] }],
    validate: rules,
  }),
)
