import { type Claiming, scopeOf } from '../claims.ts'
import type { Tunnel } from './schema.ts'

/** Both kinds of tunnels claim the same names. */
export const claimOfTunnel: Claiming<Tunnel> = ({ metadata, spec }) => {
  const { id, name: existing } = spec?.existingTunnel ?? {}
  const name = existing || spec?.newTunnel?.name || (id ? '' : metadata?.name)
  const known = id || name
  if (!known) return undefined
  return {
    natural: `tunnel/${known}`,
    keys: [...(name ? [`tunnel/name/${name}`] : []), ...(id ? [`id/${id}`] : [])],
    words: `tunnel ${known}`,
    field: spec?.existingTunnel ? 'spec.existingTunnel' : 'spec.newTunnel.name',
    scope: scopeOf(spec?.cloudflare),
  }
}
