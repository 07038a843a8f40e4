import { SUBDOMAIN_LENGTH, SUBDOMAIN_ONLY } from '../../../src/kube/names.ts'
import type { Findings } from '../../kit/admission.ts'
import type { Nacos } from './schema.ts'
import { OWNERS, type Owner, refField } from './shape.ts'

export const FINAL = 'spec.finalConfigName'
export const refPath = (owner: Owner) => `spec.${refField(owner)}`

/** References that name nothing; the worker takes them for absent (NC-MRG-01). */
export function namelessRefs({ spec }: Nacos): Findings {
  return OWNERS.filter((owner) => spec?.[refField(owner)] !== undefined && !spec[refField(owner)]?.name).map(
    (owner) => ({ path: `${refPath(owner)}.name`, value: `required when ${refField(owner)} is set` }),
  )
}

/** Names and keys that no ConfigMap can have. */
export const illegalNames = (nacos: Nacos): Findings => [
  ...OWNERS.flatMap((owner) => illegalRef(nacos, owner)),
  ...illegalFinal(nacos),
]

function illegalRef({ spec }: Nacos, owner: Owner): Findings {
  const { name = '', key = '' } = spec?.[refField(owner)] ?? {}
  if (name === '') return []
  const path = refPath(owner)
  const badName = isConfigMapName(name) ? [] : [{ path: `${path}.name`, value: `invalid ConfigMap name "${name}"` }]
  const badKey = key === '' || isKey(key) ? [] : [{ path: `${path}.key`, value: `invalid ConfigMap key "${key}"` }]
  return [...badName, ...badKey]
}

function illegalFinal({ spec }: Nacos): Findings {
  const name = spec?.finalConfigName ?? ''
  return name === '' || isConfigMapName(name) ? [] : [{ path: FINAL, value: `invalid ConfigMap name "${name}"` }]
}

const SUBDOMAIN = new RegExp(SUBDOMAIN_ONLY)
const isConfigMapName = (name: string) => name.length <= SUBDOMAIN_LENGTH && SUBDOMAIN.test(name)
const isKey = (key: string) => /^[-._a-zA-Z0-9]{1,253}$/.test(key) && key !== '.' && key !== '..'
