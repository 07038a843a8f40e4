import { cloudflareKind } from '../define.ts'
import { flawOfHostname, flawOfPath, flawOfService } from '../origin-checks.ts'
import { goodFor } from '../rules.ts'
import { TUNNEL_BINDING, type TunnelBinding } from './schema.ts'

export const tunnelBinding = cloudflareKind({
  resource: TUNNEL_BINDING,
  description: 'Services that a tunnel publishes.',
  shortNames: [],
  rules: [
    goodFor<TunnelBinding>('subjects[].spec', ({ subjects }) =>
      subjects.flatMap(({ spec }, at) => [
        { path: `subjects[${at}].spec.fqdn`, value: spec?.fqdn, check: flawOfHostname },
        { path: `subjects[${at}].spec.target`, value: spec?.target, check: flawOfService },
        { path: `subjects[${at}].spec.path`, value: spec?.path, check: flawOfPath },
      ]),
    ),
  ],
})
