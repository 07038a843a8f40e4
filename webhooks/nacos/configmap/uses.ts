import type { Update } from '../../kit/admission.ts'
import type { ClusterReader, Found, KubeObject } from '../../kit/schema.ts'
import { CONFIG_MAP, type ConfigMap } from '../kubernetes.ts'
import { NACOS, type Nacos } from '../nacos/schema.ts'
import { type SourceRef, sourcesOf } from '../nacos/shape.ts'
import { CONFIG_ROLES, LABELS } from '../names.ts'

export type ConfigMapUpdate = Update<ConfigMap>

/** A Nacos that reads a key of a ConfigMap. */
export interface SourceUse extends SourceRef {
  readonly nacos: Found<Nacos>
}

type Role = keyof typeof CONFIG_ROLES
export const hasRole = (role: Role, { metadata }: KubeObject) =>
  metadata.labels?.[LABELS.configRole] === CONFIG_ROLES[role]
/** Taking the label away does not evade the rules. */
export const isSource = ({ prev, next }: ConfigMapUpdate) => [prev, next].some((each) => hasRole('source', each))

interface SourceMap {
  readonly namespace: string
  readonly name: string
}
export async function usesOf({ namespace, name }: SourceMap, cluster: ClusterReader): Promise<readonly SourceUse[]> {
  const all = await cluster.list(NACOS, { namespace })
  return all.flatMap((nacos) =>
    sourcesOf(nacos)
      .filter((ref) => ref.name === name)
      .map((ref) => ({ ...ref, nacos })),
  )
}

export const usesIn = ({ next, namespace }: ConfigMapUpdate, cluster: ClusterReader) =>
  usesOf({ namespace, name: next.metadata.name }, cluster)

/** The keys whose text an update changes, with those who read them. */
export async function changedUses(given: ConfigMapUpdate, cluster: ClusterReader): Promise<readonly SourceUse[]> {
  const isChanged = ({ key }: SourceUse) => given.prev.data?.[key] !== given.next.data?.[key]
  return (await usesIn(given, cluster)).filter(isChanged)
}

/** Changes nothing that a Nacos could read, which is the most of them. */
export const isSameData = ({ prev, next }: ConfigMapUpdate) =>
  Object.keys({ ...prev.data, ...next.data }).every((key) => prev.data?.[key] === next.data?.[key])

export const pathOf = (key: string) => `data[${key}]`
export const textOf = (map: Found<ConfigMap> | undefined, key: string) => map?.data?.[key] ?? ''

/** A source by its name; the updated one as it is to be. */
export async function sourceNamed(
  name: string,
  { next, namespace }: ConfigMapUpdate,
  cluster: ClusterReader,
): Promise<Found<ConfigMap> | undefined> {
  return name === next.metadata.name ? next : cluster.get(CONFIG_MAP, { namespace, name })
}

/** `"a", "b"`; at most five of them. */
export function quoted(uses: readonly Pick<SourceUse, 'nacos'>[]): string {
  const names = [...new Set(uses.map(({ nacos }) => `"${nacos.metadata.name}"`))]
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
}
