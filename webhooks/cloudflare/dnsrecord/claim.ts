import { sha256Of } from '../../../src/kube/digests.ts'
import type { Draft } from '../../kit/schema.ts'
import { type Claiming, type RemoteClaim, scopeOf } from '../claims.ts'
import { isInZone, normalName } from '../hostnames.ts'
import type { DnsRecord } from './schema.ts'

/** A CNAME stands alone; A and AAAA stand together. Of other types a name may have several with another content. */
const EXCLUDES: Readonly<Record<string, readonly string[]>> = {
  A: ['A'],
  AAAA: ['AAAA'],
  CNAME: ['CNAME', 'A', 'AAAA'],
}

export const claimOfRecord: Claiming<DnsRecord> = ({ spec }): RemoteClaim | undefined => {
  if (!spec?.name || spec.type === undefined) return undefined
  const name = claimedName(spec)
  const types = EXCLUDES[spec.type] ?? [`${spec.type}/${digestOf(spec)}`]
  return {
    natural: `dns/${name}`,
    keys: types.map((type) => `dns/${name}/${type}`),
    words: `${spec.type} ${name}`,
    field: 'spec.name',
    scope: scopeOf(spec.cloudflare),
  }
}

type RecordSpec = NonNullable<Draft<DnsRecord>['spec']>
const digestOf = ({ content, data }: RecordSpec) => sha256Of(content ?? JSON.stringify(data ?? {})).slice(0, 16)

/** As far as the zone is known in the cluster: a name without a dot may belong to any zone of its credentials. */
function claimedName({ name: written = '', cloudflare }: RecordSpec): string {
  const name = normalName(written)
  const zone = normalName(cloudflare?.domain ?? '')
  if (zone !== '') return isInZone(name, zone) ? name : `${name}.${zone}`
  return name.includes('.') ? name : `${name}@${cloudflare?.credentialsRef?.name ?? ''}`
}
