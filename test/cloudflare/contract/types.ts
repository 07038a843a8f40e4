import type { RecordResponse } from 'cloudflare/resources/dns/records'
import type { CloudflareTunnel } from 'cloudflare/resources/shared'
import type { GatewayRule } from 'cloudflare/resources/zero-trust/gateway/rules'
import type { Teamnet } from 'cloudflare/resources/zero-trust/networks/routes'
import type { VirtualNetwork } from 'cloudflare/resources/zero-trust/networks/virtual-networks'
import type { ConfigurationGetResponse } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/configurations'
import type { ruleIn } from '../double/rules-and-buckets.ts'
import type { DoubleNetwork, DoubleRecord, DoubleRoute, DoubleTunnel } from '../double/state.ts'

/** What the double answers has at least the fields that the published client promises, as far as they are its own. */
type Holds<Own extends Promised, Promised> = Own
/** Where the client says "absent", the API says null. */
type Present<T> = { [K in keyof T]: Exclude<T[K], null> }
type Of<Promised, Own> = Pick<Promised, keyof Promised & keyof Own>

type Rule = ReturnType<typeof ruleIn>
export type Kept = [
  Holds<
    Present<DoubleRecord>,
    Pick<RecordResponse.ARecord, 'id' | 'name' | 'created_on' | 'modified_on' | 'meta' | 'proxiable'>
  >,
  Holds<Present<DoubleNetwork>, VirtualNetwork>,
  Holds<Present<DoubleRoute>, Of<Teamnet, DoubleRoute>>,
  Holds<
    Present<Pick<DoubleTunnel, 'id' | 'name' | 'created_at' | 'deleted_at'>>,
    Of<CloudflareTunnel, Pick<DoubleTunnel, 'id' | 'name' | 'created_at' | 'deleted_at'>>
  >,
  Holds<Pick<DoubleTunnel, 'source' | 'version'>, Pick<ConfigurationGetResponse, 'source' | 'version'>>,
  Holds<Omit<Rule, 'filters'>, Pick<GatewayRule, 'enabled' | 'name' | 'precedence' | 'traffic'>>,
]
