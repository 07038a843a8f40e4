import type { Rule } from '../../kit/admission.ts'
import { unmarked } from '../rules.ts'
import type { GatewayRule } from './schema.ts'

export const rules: readonly Rule<GatewayRule>[] = [
  {
    id: 'CF-V-15',
    field: 'spec.filters',
    on: 'write',
    check: ({ next: { spec } }) =>
      spec.filters?.length === 1 ? [] : [{ path: 'spec.filters', value: spec.filters?.length ?? 0 }],
    message: ({ value }) => `a rule has exactly one filter, and not ${value}`,
    remedy: 'name one of http, dns, l4, egress, dns_resolver',
  },
  unmarked('spec.description', ({ spec }) => [{ path: 'spec.description', value: spec.description }]),
]
