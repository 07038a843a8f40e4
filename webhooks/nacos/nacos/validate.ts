import type { Rule } from '../../kit/admission.ts'
import { ANNOTATIONS } from '../names.ts'
import type { Nacos } from './schema.ts'
import { neighbourRules } from './validate-neighbours.ts'
import { ownRules } from './validate-own.ts'
import { sourceRules } from './validate-sources.ts'
import { warningRules } from './validate-warnings.ts'

const PROTECTION = `metadata.annotations[${ANNOTATIONS.deletionProtection}]`

/** Not an id of the specification, which states the protection without one (6.3). */
const deletionProtection: Rule<Nacos> = {
  id: 'NC-ADM-90',
  field: PROTECTION,
  on: 'deleteByMetadata',
  reason: 'Forbidden',
  exempt: ['KUBE'],
  check: ({ prev: { metadata } }) =>
    metadata.annotations?.[ANNOTATIONS.deletionProtection] === 'true'
      ? [{ path: PROTECTION, value: metadata.name }]
      : [],
  message: ({ value }) => `Nacos "${value}" is protected`,
  remedy: 'remove the annotation first',
}

export const rules: readonly Rule<Nacos>[] = [
  ...ownRules,
  ...neighbourRules,
  ...sourceRules,
  ...warningRules,
  deletionProtection,
]
