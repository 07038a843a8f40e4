import type { Finding, Rule } from '../../kit/admission.ts'
import { networkIn } from '../networks.ts'
import { unmarked } from '../rules.ts'
import type { NetworkRoute } from './schema.ts'

export const rules: readonly Rule<NetworkRoute>[] = [
  {
    id: 'CF-V-09',
    field: 'spec.network',
    on: 'write',
    check({ next: { spec } }) {
      const network = networkIn(spec.network)
      if (network?.hasHostBits === false) return []
      return [{ path: 'spec.network', value: spec.network, ...(network && { by: [network.text] }) }]
    },
    message: ({ value, by }) => (by === undefined ? `"${value}" is no network` : `"${value}" has host bits`),
    examples: [
      { path: '', value: '10.0.0.1' },
      { path: '', value: '10.0.0.1/8', by: ['10.0.0.0/8'] },
    ],
    remedy: ({ by }) => (by === undefined ? 'write an address and a length, like 10.0.0.0/8' : `write ${by.join()}`),
  },
  {
    id: 'CF-V-10',
    field: 'spec.virtualNetworkRef, spec.tunnelRef.namespace',
    on: 'write',
    check: ({ next: { spec } }) => [...ambiguous(spec), ...homeless(spec)],
    message: ({ value }) => `names ${value}`,
    examples: [{ path: '', value: 'no virtual network' }],
    remedy: 'name exactly one of name, cloudflareId, cloudflareName, and the namespace of a Tunnel',
  },
  unmarked('spec.comment', ({ spec }) => [{ path: 'spec.comment', value: spec.comment }]),
]

type RouteSpec = NetworkRoute['spec']
function ambiguous({ virtualNetworkRef: ref }: RouteSpec): readonly Finding[] {
  if (ref === undefined) return []
  const many = [ref.name, ref.cloudflareId, ref.cloudflareName].filter(Boolean).length
  return many === 1
    ? []
    : [{ path: 'spec.virtualNetworkRef', value: many === 0 ? 'no virtual network' : 'it in several ways' }]
}
function homeless({ tunnelRef: { kind, namespace } }: RouteSpec): readonly Finding[] {
  return kind === 'Tunnel' && !namespace
    ? [{ path: 'spec.tunnelRef.namespace', value: 'a Tunnel without its namespace' }]
    : []
}
