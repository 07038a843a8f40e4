import type { Finding, Findings } from '../../kit/admission.ts'
import type { OwnRule } from './case.ts'
import type { Nacos } from './schema.ts'
import { finalNameOf, isMerging, sourcesOf } from './shape.ts'
import { FINAL, illegalNames, namelessRefs } from './source-names.ts'

/** What is wrong, as the check words it. */
const message = ({ value = '' }: Finding) => `${value}`

/** Names of the Nacos, of its sources and of what is made of them. */
export const nameRules: readonly OwnRule[] = [
  {
    id: 'NC-ADM-10',
    field: 'metadata.name',
    on: 'create',
    holds: true,
    check: ({ next: { metadata } }) =>
      isLabel(metadata.name) ? [] : [{ path: 'metadata.name', value: metadata.name }],
    message: () =>
      'must be a DNS-1035 label of at most 52 characters (it names a StatefulSet, Services and a container)',
    remedy: 'take lower-case letters, digits and hyphens, a letter first',
  },
  {
    id: 'NC-ADM-15',
    field: 'spec.userConfigRef, spec.internalConfigRef, spec.finalConfigName',
    on: 'write',
    check: ({ next }) => [...namelessRefs(next), ...illegalNames(next)],
    message,
    examples: [
      { path: 'spec.userConfigRef.name', value: 'required when userConfigRef is set' },
      { path: 'spec.userConfigRef.name', value: 'invalid ConfigMap name "<name>"' },
      { path: 'spec.userConfigRef.key', value: 'invalid ConfigMap key "<key>"' },
    ],
    remedy: 'name a ConfigMap of this namespace and a key in its data, or leave the field out',
  },
  {
    id: 'NC-ADM-16',
    field: FINAL,
    on: 'write',
    when: ({ next }) => isMerging(next),
    check: ({ next }) => {
      const value = finalNameOf(next, next.metadata.name)
      return sourcesOf(next).some(({ name }) => name === value) ? [{ path: FINAL, value }] : []
    },
    message: ({ value }) =>
      `must differ from the source ConfigMap "${value}" (the operator would merge its own output)`,
    remedy: 'choose another name',
  },
  {
    id: 'NC-ADM-18',
    field: 'spec.internalConfigRef',
    on: 'write',
    check: ({ next }) => sameSource(next),
    message: () => 'must not equal userConfigRef',
    remedy: 'name another ConfigMap or another key, or leave one of the two out',
  },
]

/** A name that the API server still generates is its business. */
const isLabel = (name: string) => name === '' || (name.length <= 52 && /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name))

function sameSource(nacos: Nacos): Findings {
  const [internal, user] = sourcesOf(nacos)
  const isSame = user !== undefined && internal?.name === user.name && internal.key === user.key
  return isSame ? [{ path: 'spec.internalConfigRef', value: `${user.name} ${user.key}` }] : []
}
