import { anyObject, flag, integer, list, nullable, object, type Shape, type Tree, text } from '../../kit/schema.ts'
import type { RemoteTable } from '../engine/table.ts'
import { claimOfRule } from './claim.ts'
import { normalRule } from './normal.ts'
import { GATEWAY_RULE, type GatewayRule } from './schema.ts'
import { rules } from './validate.ts'
import { asWritten } from './wire.ts'

const rule = object(
  { id: text({ doc: 'Id.' }), name: text({ doc: 'Name.' }), action: text({ doc: 'Action.' }) },
  {
    description: nullable(text({ doc: 'Description.' })),
    precedence: integer({ doc: 'Lower goes first.' }),
    enabled: flag({ doc: 'Whether it is in force.' }),
    filters: nullable(list(text({ doc: 'Kind of traffic.' }), { doc: 'Filters.' })),
    traffic: nullable(text({ doc: 'Expression on the traffic.' })),
    identity: nullable(text({ doc: 'Expression on the user.' })),
    device_posture: nullable(text({ doc: 'Expression on the device.' })),
    rule_settings: nullable(anyObject({ doc: 'Settings of the action.' })),
    schedule: nullable(anyObject({ doc: 'When it is in force.' })),
    expiration: nullable(anyObject({ doc: 'Until when.' })),
    deleted_at: nullable(text({ doc: 'When it was deleted.' })),
  },
)
/** Of the CRDs of this API group; the API states no limit. */
const DESCRIPTION_LENGTH = 1_000
const nameOf = ({ metadata, spec }: GatewayRule) => spec.name || metadata.name

/** A PUT replaces the whole rule, so each field is written, also an empty one. */
export const gatewayRuleRemote: RemoteTable<GatewayRule, Shape<typeof rule>> = {
  resource: GATEWAY_RULE,
  noun: 'gateway rule',
  finalizer: 'gatewayrule.networking.cloudflare-operator.io/finalizer',
  claim: claimOfRule,
  details: ({ spec }) => spec?.cloudflare ?? {},
  rules,
  paths: { collection: '/accounts/{account}/gateway/rules', object: '/accounts/{account}/gateway/rules/{id}' },
  updates: 'PUT',
  answer: rule,
  remoteOf: ({ id, description, deleted_at, ...fields }) => ({
    ...{ id, text: description ?? '', isDeleted: deleted_at != null },
    fields: ownOf(fields),
  }),
  mark: { field: 'description', limit: () => DESCRIPTION_LENGTH, comment: ({ spec }) => spec.description },
  codes: { exists: [], gone: [], busy: [] },
  /** The API has no filter for this list. */
  find: (object) => ({ query: {}, isIt: ({ fields }) => fields.name === nameOf(object) }),
  wanted: (object) => {
    const { devicePosture, ruleSettings = {}, schedule, expiration, ...spec } = object.spec
    const name = nameOf(object)
    return ownOf({
      ...{ ...spec, name, device_posture: devicePosture, rule_settings: asWritten(ruleSettings) },
      ...{ schedule: schedule && asWritten(schedule), expiration: expiration && asWritten(expiration) },
    })
  },
  normal: normalRule,
  status: {
    id: 'ruleId',
    states: { ready: 'active', pending: 'pending', error: 'error', deleting: 'deleting' },
    of: (_, { known }) => ({ accountId: known.account }),
  },
}

const ownOf = (fields: Tree): Tree => ({
  name: fields.name,
  action: fields.action,
  precedence: fields.precedence ?? 0,
  enabled: fields.enabled ?? true,
  filters: fields.filters ?? [],
  traffic: fields.traffic ?? '',
  identity: fields.identity ?? '',
  device_posture: fields.device_posture ?? '',
  rule_settings: fields.rule_settings ?? {},
  schedule: fields.schedule ?? null,
  expiration: fields.expiration ?? null,
})
