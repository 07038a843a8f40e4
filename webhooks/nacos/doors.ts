import type { Door } from '../kit/admission.ts'
import { LABELS } from './names.ts'

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
  // No rule holds it back, so a namespace goes with its Nacos while the webhook is away.
  matchConditions: [
    {
      name: 'not-the-namespace-controller',
      expression: "request.userInfo.username != 'system:serviceaccount:kube-system:namespace-controller'",
    },
  ],
}

/** For ConfigMaps that the worker has labelled alone (NC-ADM-01). It checks again what comes in while this is away. */
export const VALIDATE_CONFIG_MAPS: Door = {
  ...COMMON,
  name: 'validating-configmap.nacos.io',
  path: '/validating',
  phase: 'validate',
  operations: ['UPDATE', 'DELETE'],
  failurePolicy: 'Ignore',
  timeoutSeconds: 3,
  objectSelector: { matchExpressions: [{ key: LABELS.configRole, operator: 'Exists' }] },
}
