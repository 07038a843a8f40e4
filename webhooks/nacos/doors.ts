import type { Door } from '../kit/admission.ts'

const COMMON = { failurePolicy: 'Fail', timeoutSeconds: 5, sideEffects: 'None' } as const

export const MUTATE_NACOS: Door = {
  ...COMMON,
  name: 'mutating-nacos.nacos.io',
  path: '/mutating',
  phase: 'mutate',
  operations: ['CREATE', 'UPDATE'],
  reinvocation: 'IfNeeded',
}

export const VALIDATE_NACOS: Door = {
  ...COMMON,
  name: 'validating-nacos.nacos.io',
  path: '/validating',
  phase: 'validate',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
}
