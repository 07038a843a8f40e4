import type { Finding, Findings, Rule } from '../../kit/admission.ts'
import type { ClusterReader } from '../../kit/schema.ts'
import { type NacosWrite, othersOf } from './case.ts'
import type { Nacos } from './schema.ts'
import { childNamesOf, finalNameOf, isMerging, isOldWay, sourcesOf } from './shape.ts'
import { FINAL, illegalNames, namelessRefs, refPath } from './source-names.ts'

/** What is wrong, as the check words it. */
const message = ({ value = '' }: Finding) => `${value}`

/** Names of the Nacos, of its sources and of what is made of them. */
export const nameRules: readonly Rule<Nacos>[] = [
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
    id: 'NC-ADM-14',
    field: 'metadata.name',
    on: 'create',
    check: clashingChildren,
    message: ({ value, by = [] }) => `child "${value}" already belongs to Nacos "${by.join()}"`,
    examples: [{ path: 'metadata.name', value: '<child>', by: ['<name>'] }],
    remedy: 'give it another name',
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
    id: 'NC-ADM-17',
    field: `${FINAL}, spec.userConfigRef.name, spec.internalConfigRef.name`,
    on: 'write',
    when: ({ next }) => isMerging(next),
    check: takenConfigMaps,
    message: ({ path, value, by = [] }) =>
      `"${value}" is ${path === FINAL ? 'already used' : 'generated'} by Nacos "${by.join()}"`,
    examples: [
      { path: FINAL, value: '<name>', by: ['<nacos>'] },
      { path: 'spec.userConfigRef.name', value: '<name>', by: ['<nacos>'] },
    ],
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

async function clashingChildren(given: NacosWrite, cluster: ClusterReader): Promise<Findings> {
  const own = childNamesOf(given.next.metadata.name)
  const others = await othersOf(given, cluster)
  return others.flatMap(({ metadata: { name } }) =>
    childNamesOf(name)
      .filter((child) => own.includes(child))
      .map((value) => ({ path: 'metadata.name', value, by: [name] })),
  )
}

async function takenConfigMaps(given: NacosWrite, cluster: ClusterReader): Promise<Findings> {
  const { next } = given
  const final = finalNameOf(next, next.metadata.name)
  const others = await othersOf(given, cluster)
  return others.flatMap((other) => {
    const { name } = other.metadata
    const generated = isMerging(other) ? finalNameOf(other, name) : undefined
    const used = [generated, isOldWay(other) ? name : undefined, ...sourcesOf(other).map((source) => source.name)]
    const ofFinal = used.includes(final) ? [{ path: FINAL, value: final, by: [name] }] : []
    const ofSources = sourcesOf(next)
      .filter((source) => source.name === generated)
      .map(({ owner, name: value }) => ({ path: `${refPath(owner)}.name`, value, by: [name] }))
    return [...ofFinal, ...ofSources]
  })
}

function sameSource(nacos: Nacos): Findings {
  const [internal, user] = sourcesOf(nacos)
  const isSame = user !== undefined && internal?.name === user.name && internal.key === user.key
  return isSame ? [{ path: 'spec.internalConfigRef', value: `${user.name} ${user.key}` }] : []
}
