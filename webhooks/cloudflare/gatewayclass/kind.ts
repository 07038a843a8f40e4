import { cloudflareKind } from '../define.ts'
import { flawOfService } from '../origin-checks.ts'
import { durationsIn } from '../origin-request-checks.ts'
import { goodFor } from '../rules.ts'
import { GATEWAY_CLASS_CONFIG, type TunnelGatewayClassConfig } from './schema.ts'

export const tunnelGatewayClassConfig = cloudflareKind({
  resource: GATEWAY_CLASS_CONFIG,
  description: 'The tunnel of a GatewayClass.',
  shortNames: ['tgcc'],
  rules: [
    goodFor<TunnelGatewayClassConfig>('spec', ({ spec }) => [
      { path: 'spec.fallbackTarget', value: spec.fallbackTarget, check: flawOfService },
      ...durationsIn(spec.defaultOriginRequest),
    ]),
  ],
})
