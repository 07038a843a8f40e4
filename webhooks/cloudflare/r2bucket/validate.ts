import type { Rule } from '../../kit/admission.ts'
import { fixed } from '../rules.ts'
import type { R2Bucket } from './schema.ts'

export const rules: readonly Rule<R2Bucket>[] = [
  fixed(({ status }) => status?.bucketName, {
    'spec.name': ({ metadata, spec }) => spec?.name || metadata.name,
    'spec.locationHint': ({ spec }) => spec?.locationHint,
  }),
]
