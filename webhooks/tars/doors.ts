import type { Door } from '../kit/admission.ts'

const COMMON = {
  failurePolicy: 'Fail',
  timeoutSeconds: 10,
  sideEffects: 'None',
} as const

/** Shared by the kinds whose mutations are idempotent, so that the API server may call them again. */
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

/** For kinds that others refer to: an object in use cannot be deleted. */
export const VALIDATING_DELETE: Door = {
  ...VALIDATING,
  operations: ['CREATE', 'UPDATE', 'DELETE'],
}
