import type { Rule } from '../../kit/admission.ts'
import { unmarked } from '../rules.ts'
import type { VirtualNetwork } from './schema.ts'

export const rules: readonly Rule<VirtualNetwork>[] = [
  unmarked('spec.comment', ({ spec }) => [{ path: 'spec.comment', value: spec?.comment }]),
]
