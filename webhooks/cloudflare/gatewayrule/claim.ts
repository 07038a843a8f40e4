import { type Claiming, scopeOf } from '../claims.ts'
import type { GatewayRule } from './schema.ts'

export const claimOfRule: Claiming<GatewayRule> = ({ metadata, spec }) => {
  const name = spec?.name || metadata?.name
  if (!name) return undefined
  return {
    natural: `gwrule/${name}`,
    keys: [`gwrule/${name}`],
    words: `gateway rule ${name}`,
    field: 'spec.name',
    scope: scopeOf(spec?.cloudflare),
  }
}
