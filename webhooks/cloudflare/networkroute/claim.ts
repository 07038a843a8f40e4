import type { Draft } from '../../kit/schema.ts'
import { type Claiming, scopeOf } from '../claims.ts'
import { networkIn } from '../networks.ts'
import type { NetworkRoute } from './schema.ts'

export const claimOfRoute: Claiming<NetworkRoute> = ({ spec }) => {
  const network = networkIn(spec?.network ?? '')?.text
  if (network === undefined) return undefined
  return {
    natural: `route/${network}`,
    keys: [`route/${networkKeyOf(spec)}/${network}`],
    words: `route ${network}`,
    field: 'spec.network',
    scope: scopeOf(spec?.cloudflare),
  }
}

function networkKeyOf({ virtualNetworkRef: ref }: Draft<NetworkRoute['spec']> = {}): string {
  if (ref?.name) return `name:${ref.name}`
  if (ref?.cloudflareId) return `id:${ref.cloudflareId}`
  return ref?.cloudflareName ? `cloudflare:${ref.cloudflareName}` : 'default'
}
