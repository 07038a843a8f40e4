import { cloudflareKind } from '../define.ts'
import { durationsIn } from '../origin-request-checks.ts'
import { goodFor } from '../rules.ts'
import { INGRESS_CLASS_CONFIG, type TunnelIngressClassConfig } from './schema.ts'

export const tunnelIngressClassConfig = cloudflareKind({
  resource: INGRESS_CLASS_CONFIG,
  description: 'The tunnel of an IngressClass.',
  shortNames: ['ticc'],
  rules: [
    goodFor<TunnelIngressClassConfig>('spec.defaultOriginRequest', ({ spec }) =>
      durationsIn(spec.defaultOriginRequest),
    ),
  ],
})
