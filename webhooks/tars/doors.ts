import type { Door } from '../kit/admission.ts'

const COMMON = {
  failurePolicy: 'Fail',
  timeoutSeconds: 10,
  sideEffects: 'None',
} as const

/** Shared by the kinds whose mutations may run twice without harm. */
export const MUTATING: Door = {
  ...COMMON,
  name: 'mutating.tars.io',
  path: '/mutating',
  phase: 'mutate',
  operations: ['CREATE', 'UPDATE'],
  reinvocation: 'IfNeeded',
}

export const VALIDATING: Door = {
  ...COMMON,
  name: 'validating.tars.io',
  path: '/validating',
  phase: 'validate',
  operations: ['CREATE', 'UPDATE'],
}

/** For kinds that others refer to: what is in use is not deleted. */
export const VALIDATING_DELETE: Door = {
  ...VALIDATING,
  operations: ['CREATE', 'UPDATE', 'DELETE'],
}
