import { type Claiming, scopeOf } from '../claims.ts'
import type { VirtualNetwork } from './schema.ts'

export const claimOfNetwork: Claiming<VirtualNetwork> = ({ metadata, spec }) => {
  const name = spec?.name || metadata?.name
  if (!name) return undefined
  return {
    natural: `vnet/${name}`,
    keys: [`vnet/${name}`, ...(spec?.isDefaultNetwork === true ? ['vnet-default'] : [])],
    words: `virtual network ${name}`,
    field: 'spec.name',
    scope: scopeOf(spec?.cloudflare),
  }
}
