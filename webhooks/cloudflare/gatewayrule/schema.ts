import {
  anyObject,
  choice,
  flag,
  integer,
  type KubeObject,
  list,
  object,
  resource,
  type Shape,
  text,
} from '../../kit/schema.ts'
import { cloudflareDetails, statusOf, textsOfStatus } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const ACTIONS = [
  ...['on', 'off', 'allow', 'block', 'scan', 'noscan', 'safesearch', 'ytrestricted', 'isolate', 'noisolate'],
  ...['override', 'l4_override', 'egress', 'resolve', 'quarantine', 'redirect'],
] as const
const FILTERS = ['http', 'dns', 'l4', 'egress', 'dns_resolver'] as const
const expression = (doc: string) => text({ doc, maxLength: 65_536 })

const rule = object(
  {
    spec: object(
      {
        precedence: integer({ doc: 'Lower goes first.', minimum: 0, maximum: 1_000_000_000 }),
        action: choice(ACTIONS, { doc: 'What is done.' }),
      },
      {
        name: text({ doc: 'Its name; that of the object when absent.', maxLength: 255 }),
        description: text({ doc: 'A description beside the mark of its owner.', maxLength: 1_000 }),
        enabled: flag({ doc: 'Whether it is in force.', default: true }),
        filters: list(choice(FILTERS, { doc: 'Kind of traffic.' }), { doc: 'Exactly one.', maxItems: 5 }),
        traffic: expression('Expression on the traffic.'),
        identity: expression('Expression on the user.'),
        devicePosture: expression('Expression on the device.'),
        ruleSettings: anyObject({ doc: 'Settings of the action.' }),
        schedule: anyObject({ doc: 'When it is in force.' }),
        expiration: anyObject({ doc: 'Until when.' }),
        cloudflare: cloudflareDetails,
      },
      'A rule of the gateway.',
    ),
  },
  { status: statusOf(textsOfStatus('ruleId', 'accountId')) },
)
export type GatewayRule = KubeObject & Shape<typeof rule>
export const GATEWAY_RULE = resource(cloudflareResource('GatewayRule', 'gatewayrules', 'Cluster'), rule)
