import type { Findings, Rule } from '../../kit/admission.ts'
import type { ClusterReader } from '../../kit/schema.ts'
import { type NacosWrite, othersOf } from './case.ts'
import type { Nacos } from './schema.ts'
import { childNamesOf, finalNameOf, isMerging, isOldWay, sourcesOf } from './shape.ts'
import { FINAL, refPath } from './source-names.ts'

/** Names that another Nacos of the namespace has already. */
export const neighbourRules: readonly Rule<Nacos>[] = [
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
]

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
