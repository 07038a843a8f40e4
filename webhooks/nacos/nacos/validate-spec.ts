import type { Finding, Findings } from '../../kit/admission.ts'
import { imageOf, type NacosStates, type OwnRule } from './case.ts'
import type { Nacos } from './schema.ts'
import { volumeChange } from './volume.ts'

const message = ({ value = '' }: Finding) => `${value}`
/** The one variable that names all servers holds no more. */
const MOST_REPLICAS = 1_000
/** As admission fills it in (NC-ADM-06). */
const typeOf = ({ spec }: Nacos) => spec?.type || 'standalone'

/** What the servers are, and what cannot change about them. */
export const specRules: readonly OwnRule[] = [
  {
    id: 'NC-ADM-11',
    field: 'spec.type',
    on: 'write',
    check: ({ next }) =>
      ['standalone', 'cluster'].includes(typeOf(next)) ? [] : [{ path: 'spec.type', value: typeOf(next) }],
    message: ({ value }) => `must be "standalone" or "cluster", got "${value}"`,
    remedy: 'write one of the two',
  },
  {
    id: 'NC-ADM-12',
    field: 'spec.replicas',
    on: 'write',
    check: ({ next }) => badReplicas(next),
    message,
    examples: [
      { path: 'spec.replicas', value: 'must be at least 1' },
      { path: 'spec.replicas', value: `must be at most ${MOST_REPLICAS}` },
      { path: 'spec.replicas', value: 'must be 1 when type is standalone' },
    ],
    remedy: 'write 1, or 3 and type cluster',
  },
  {
    id: 'NC-ADM-13',
    field: 'spec.image',
    on: 'create',
    check: ({ next }) => (imageOf(next) === '' ? [{ path: 'spec.image' }] : []),
    message: () => 'required',
    remedy: 'name the image of the server',
  },
  {
    id: 'NC-ADM-20',
    field: 'spec.type',
    on: 'update',
    check: ({ next, prev = next }) => (typeOf(next) === typeOf(prev) ? [] : [{ path: 'spec.type' }]),
    message: () => 'immutable',
    remedy: 'create another Nacos',
    always: true,
  },
  {
    id: 'NC-ADM-21',
    field: 'spec.volume',
    on: 'update',
    always: true,
    check: ({ next, prev = next }) => changedVolume(prev, next),
    message: ({ effect }) =>
      effect === 'warn'
        ? 'claims that exist do not grow by themselves'
        : 'only growing the size is allowed (claims are never deleted)',
    examples: [{ path: 'spec.volume' }, { path: 'spec.volume', effect: 'warn' }],
    remedy: ({ effect }) => (effect === 'warn' ? 'grow them by hand' : 'leave the rest as it was'),
  },
  {
    id: 'NC-ADM-26',
    field: 'spec.certification.token',
    on: 'write',
    always: true,
    check: missingToken,
    message: () => 'required; no default token is provided',
    remedy: 'set a key of at least 32 bytes in base64, or switch certification off',
  },
]

function badReplicas(nacos: Nacos): Findings {
  const { replicas = 1 } = nacos.spec ?? {}
  const found = (value: string) => [{ path: 'spec.replicas', value }]
  if (replicas < 1) return found('must be at least 1')
  if (replicas > MOST_REPLICAS) return found(`must be at most ${MOST_REPLICAS}`)
  return typeOf(nacos) === 'standalone' && replicas !== 1 ? found('must be 1 when type is standalone') : []
}

function changedVolume(prev: Nacos, next: Nacos): Findings {
  const change = volumeChange(prev, next)
  if (change === 'none') return []
  return [{ path: 'spec.volume', ...(change === 'grown' && { effect: 'warn' }) }]
}

/** What is stored without a token may stay so, with a warning. */
function missingToken({ next, prev }: NacosStates): Findings {
  if (!lacksToken(next)) return []
  const stood = prev !== undefined && lacksToken(prev)
  return [{ path: 'spec.certification.token', ...(stood && { effect: 'warn' }) }]
}
const lacksToken = ({ spec }: Nacos) => spec?.certification?.enabled === true && !spec.certification.token
