import { ApiError } from './answer.ts'
import { accountOf, type DoubleCall, type DoubleRoutes, textOf } from './routing.ts'
import { type DoubleBucket, now, uuid } from './state.ts'

/** API reference, "Gateway Rules": one page, and a PUT replaces the whole rule. */
export const GATEWAY_RULES: DoubleRoutes = {
  'GET /accounts/{account}/gateway/rules': (call) => ({ result: [...accountOf(call).rules.values()] }),
  'POST /accounts/{account}/gateway/rules': (call) => {
    const rule = { ...ruleIn(call), id: uuid(), created_at: now() }
    accountOf(call).rules.set(rule.id, rule)
    return { result: rule }
  },
  'GET /accounts/{account}/gateway/rules/{id}': (call) => ({ result: ruleOf(call) }),
  'PUT /accounts/{account}/gateway/rules/{id}': (call) => {
    const { id, created_at } = ruleOf(call)
    const rule = { ...ruleIn(call), id, created_at }
    accountOf(call).rules.set(id, rule)
    return { result: rule }
  },
  'DELETE /accounts/{account}/gateway/rules/{id}': (call) => {
    accountOf(call).rules.delete(ruleOf(call).id)
    return { result: {} }
  },
}

function ruleOf(call: DoubleCall) {
  const rule = accountOf(call).rules.get(call.params.id ?? '')
  if (rule === undefined) throw new ApiError(404, 2006, 'rule not found')
  return rule
}
/** Expressions come back in another form than they were sent. */
const reformatted = (expression: unknown) => textOf(expression).replaceAll(/\s+/g, ' ').trim()
export function ruleIn({ body }: DoubleCall) {
  if (textOf(body.name) === '' || textOf(body.action) === '')
    throw new ApiError(400, 2001, 'name and action are required')
  return {
    name: textOf(body.name),
    description: textOf(body.description),
    precedence: Number(body.precedence ?? 0),
    enabled: body.enabled === true,
    action: textOf(body.action),
    filters: body.filters ?? [],
    traffic: reformatted(body.traffic),
    identity: reformatted(body.identity),
    device_posture: reformatted(body.device_posture),
    rule_settings: body.rule_settings ?? {},
    schedule: body.schedule ?? null,
    expiration: body.expiration ?? null,
    ...{ version: 1, updated_at: now(), deleted_at: null },
  }
}

/** API reference, "R2 Buckets"; codes of the list of errors of R2. */
export const BUCKETS: DoubleRoutes = {
  'GET /accounts/{account}/r2/buckets': (call) => ({
    result: { buckets: [...accountOf(call).buckets.values()].map(shown) },
  }),
  'POST /accounts/{account}/r2/buckets': (call) => {
    const { buckets } = accountOf(call)
    const name = textOf(call.body.name)
    if (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name)) throw new ApiError(400, 10005, 'The bucket name is not valid.')
    if (buckets.has(name))
      throw new ApiError(409, 10004, 'The bucket you tried to create already exists, and you own it.')
    const bucket = {
      name,
      location: textOf(call.body.locationHint, 'wnam').toUpperCase(),
      creation_date: now(),
      objects: 0,
    }
    buckets.set(name, bucket)
    return { result: shown(bucket) }
  },
  'GET /accounts/{account}/r2/buckets/{name}': (call) => ({ result: shown(bucketOf(call)) }),
  'DELETE /accounts/{account}/r2/buckets/{name}': (call) => {
    const bucket = bucketOf(call)
    if (bucket.objects > 0) throw new ApiError(409, 10008, 'The bucket you tried to delete is not empty.')
    accountOf(call).buckets.delete(bucket.name)
    return { result: {} }
  },
}

function bucketOf(call: DoubleCall): DoubleBucket {
  const bucket = accountOf(call).buckets.get(call.params.name ?? '')
  if (bucket === undefined) throw new ApiError(404, 10006, 'The specified bucket does not exist.')
  return bucket
}
const shown = ({ name, location, creation_date }: DoubleBucket) => ({
  ...{ name, creation_date, location, storage_class: 'Standard', jurisdiction: 'default' },
})
