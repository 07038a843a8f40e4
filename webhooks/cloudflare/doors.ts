import type { Door } from '../kit/admission.ts'

const COMMON = {
  failurePolicy: 'Fail',
  timeoutSeconds: 5,
  sideEffects: 'None',
  operations: ['CREATE', 'UPDATE'],
} as const

export const MUTATING: Door = {
  ...COMMON,
  name: 'mutating.cloudflare.tars.io',
  path: '/mutating',
  phase: 'mutate',
  reinvocation: 'IfNeeded',
}
/** A deletion is not intercepted: the finalizer of an object is what cleans up (CF-ONE-03). */
export const VALIDATING: Door = {
  ...COMMON,
  name: 'validating.cloudflare.tars.io',
  path: '/validating',
  phase: 'validate',
}
