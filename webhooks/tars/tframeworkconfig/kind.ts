import { type Door, defineKind } from '../../kit/admission.ts'
import { TFRAMEWORKCONFIG } from './schema.ts'
import { rules } from './validate.ts'

/** This door only warns, so a failure must not delay or refuse the author. */
const VALIDATING_FRAMEWORKCONFIG: Door = {
  name: 'validating-frameworkconfig.tars.io',
  path: '/validating',
  phase: 'validate',
  operations: ['CREATE'],
  failurePolicy: 'Ignore',
  timeoutSeconds: 5,
  sideEffects: 'None',
}

export const tframeworkconfig = defineKind({
  resource: TFRAMEWORKCONFIG,
  definition: {
    description: 'What holds for the servers of a namespace; only the one named tars-framework is read.',
    writers: 'authors',
    shortNames: ['tfc'],
    columns: [],
  },
  doors: [VALIDATING_FRAMEWORKCONFIG],
  validate: rules,
})
