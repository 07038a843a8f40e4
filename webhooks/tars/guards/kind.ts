import { type Door, defineKind, type Kind } from '../../kit/admission.ts'
import { SERVER_LABELS } from '../names.ts'
import { TFRAMEWORKCONFIG } from '../tframeworkconfig/schema.ts'
import { TSERVER } from '../tserver/schema.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../workloads.ts'
import { rules } from './validate.ts'

/** The labels and owners that a write of the status brings are stored too. */
const [OLD, NEW] = ['oldObject.metadata', 'object.metadata']
const SAME = ['labels', 'ownerReferences'].map(
  (field) =>
    `has(${OLD}.${field}) == has(${NEW}.${field}) && (!has(${NEW}.${field}) || ${OLD}.${field} == ${NEW}.${field})`,
)

/** Fails open and times out soon, because most Services and workloads of a cluster have nothing to do with TARS. */
const GUARD: Door = {
  name: 'guard.tars.io',
  path: '/validating',
  phase: 'validate',
  operations: ['CREATE', 'UPDATE'],
  failurePolicy: 'Ignore',
  timeoutSeconds: 5,
  sideEffects: 'None',
  matchPolicy: 'Exact',
  objectSelector: { matchExpressions: SERVER_LABELS.map((key) => ({ key, operator: 'Exists' })) },
  matchConditions: [
    {
      name: 'not-of-status-alone', // an expression that fails lets pass, so it takes no field for granted
      expression: `!has(request.subResource) || request.subResource == "" || !(${SAME.join(' && ')})`,
    },
  ],
  exceptNamespaces: ['kube-system'],
  exceptController: true,
}
const OF_STATUS: Door = { ...GUARD, operations: ['UPDATE'], subresource: 'status' }

/** The objects that the controller creates for a TServer. */
export const guards: readonly Kind[] = [SERVICE, STATEFULSET, DAEMONSET].map((resource) =>
  defineKind({
    resource,
    doors: [GUARD, OF_STATUS],
    reads: [
      { resource: TSERVER, asks: ['get'] },
      { resource: TFRAMEWORKCONFIG, asks: ['get'] },
    ],
    validate: rules,
  }),
)
