import { isQuantity } from '../../../src/kube/quantities.ts'
import type { Finding, Findings } from '../../kit/admission.ts'
import { ANNOTATIONS } from '../names.ts'
import type { OwnRule } from './case.ts'
import { textIn } from './objects/parts.ts'
import type { Nacos } from './schema.ts'

const SIZE = 'spec.volume.persistentVolumeSize'
const EXPIRES = 'spec.certification.token_expire_seconds'

/** Values that the API server takes as texts, and that would fail later. */
export const valueRule: OwnRule = {
  id: 'NC-ADM-22',
  field: `${SIZE}, spec.env[].name, ${EXPIRES}, metadata.annotations`,
  on: 'write',
  check: ({ next }) => [...badSize(next), ...repeatedEnv(next), ...badExpiry(next), ...badAnnotations(next)],
  message: ({ value = '' }: Finding) => `${value}`,
  examples: [
    { path: SIZE, value: '"<size>" is no quantity' },
    { path: 'spec.env[].name', value: '"<name>" stands there already' },
    { path: EXPIRES, value: '"<seconds>" is no positive integer' },
    { path: 'metadata.annotations', value: 'must be <values>, not "<value>"' },
  ],
  remedy: 'correct it, or leave it out',
}

/** What no claim can request. */
function badSize({ spec }: Nacos): Findings {
  const size = spec?.volume?.persistentVolumeSize ?? ''
  return size === '' || isQuantity(size) ? [] : [{ path: SIZE, value: `"${size}" is no quantity` }]
}

function repeatedEnv({ spec }: Nacos): Findings {
  const names = (spec?.env ?? []).map(({ name }) => textIn(name))
  const firsts = new Map(names.toReversed().map((name, at) => [name, names.length - 1 - at]))
  return names.flatMap((name, at) =>
    name === '' || firsts.get(name) === at
      ? []
      : [{ path: `spec.env[${at}].name`, value: `"${name}" stands there already` }],
  )
}

function badExpiry({ spec }: Nacos): Findings {
  const seconds = spec?.certification?.token_expire_seconds ?? ''
  return seconds === '' || /^0*[1-9]\d{0,17}$/.test(seconds)
    ? []
    : [{ path: EXPIRES, value: `"${seconds}" is no positive integer` }]
}

interface Allowed {
  readonly says: string
  readonly is: (value: string) => boolean
}
const FLAG: Allowed = { says: '"true" or "false"', is: (value) => value === 'true' || value === 'false' }
const VALUES: readonly (readonly [string, Allowed])[] = [
  [ANNOTATIONS.reconcilePaused, FLAG],
  [ANNOTATIONS.configRollout, { says: '"auto" or "paused"', is: (value) => value === 'auto' || value === 'paused' }],
  [
    ANNOTATIONS.configSettleSeconds,
    { says: 'an integer 0..600', is: (value) => /^\d{1,3}$/.test(value) && +value <= 600 },
  ],
  [ANNOTATIONS.adoptFinalConfig, FLAG],
  [ANNOTATIONS.deletionProtection, FLAG],
]

function badAnnotations({ metadata: { annotations } }: Nacos): Findings {
  return VALUES.flatMap(([key, { says, is }]) => {
    const value = annotations?.[key]
    const path = `metadata.annotations[${key}]`
    return value === undefined || is(value) ? [] : [{ path, value: `must be ${says}, not "${value}"` }]
  })
}
