import { type Door, defineKind, type Kind } from '../../kit/admission.ts'
import { LABELS } from '../names.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../workloads.ts'
import { rules } from './validate.ts'

const BOTH = [LABELS.app, LABELS.server]
const BEFORE = 'oldObject.metadata.labels'

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
  objectSelector: { matchExpressions: BOTH.map((key) => ({ key, operator: 'Exists' })) },
  matchConditions: [
    {
      name: 'not-labelled-before', // an expression that fails lets pass, so it takes no labels for granted
      expression: `oldObject == null || !has(${BEFORE}) || !${JSON.stringify(BOTH)}.all(key, key in ${BEFORE})`,
    },
  ],
  exceptSystem: true,
  exceptController: true,
}
/** A write of the status stores the labels that it brings. */
const OF_STATUS: Door = { ...GUARD, operations: ['UPDATE'], subresource: 'status' }

/** The objects that the controller creates for a TServer. The rules read their metadata alone. */
export const guards: readonly Kind[] = [SERVICE, STATEFULSET, DAEMONSET].map((resource) =>
  defineKind({
    resource,
    doors: [GUARD, OF_STATUS],
    validate: rules,
  }),
)
