import type { Rule } from '../../kit/admission.ts'
import { ANNOTATIONS } from '../names.ts'
import type { Nacos } from './schema.ts'
import { nameRules } from './validate-names.ts'
import { sourceRules } from './validate-sources.ts'
import { specRules } from './validate-spec.ts'
import { valueRule } from './validate-values.ts'
import { warningRules } from './validate-warnings.ts'
import { wrapperRule } from './validate-wrapper.ts'

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
  ...nameRules,
  ...specRules,
  wrapperRule,
  valueRule,
  ...sourceRules,
  ...warningRules,
  deletionProtection,
]
