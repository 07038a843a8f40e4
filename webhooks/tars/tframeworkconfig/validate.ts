import type { Rule } from '../../kit/admission.ts'
import { FRAMEWORK_NAME } from '../names.ts'
import type { TFrameworkConfig } from './schema.ts'

export const rules: readonly Rule<TFrameworkConfig>[] = [
  {
    id: 'TF-W1',
    field: 'metadata.name',
    on: 'create',
    effect: 'warn',
    check: ({ next: { metadata } }) =>
      metadata.name === FRAMEWORK_NAME ? [] : [{ path: 'metadata.name', value: metadata.name }],
    message: () => `ignored, for only ${FRAMEWORK_NAME} is read`,
    remedy: 'give it that name',
  },
]
