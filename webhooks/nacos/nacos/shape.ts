import type { Draft, Tree } from '../../kit/schema.ts'
import { KEYS } from '../names.ts'
import type { Nacos } from './schema.ts'

export type NacosSpec = NonNullable<Nacos['spec']>

/** The two owners of a configuration, in the order of their parts in the final text (NC-MRG-25). */
export const OWNERS = ['internal', 'user'] as const
export type Owner = (typeof OWNERS)[number]

/** A source ConfigMap that a Nacos names. */
export interface SourceRef {
  readonly owner: Owner
  readonly name: string
  readonly key: string
}

const FIELDS = { internal: 'internalConfigRef', user: 'userConfigRef' } as const
export const refField = (owner: Owner) => FIELDS[owner]

/** A reference without a name counts as absent (NC-MRG-01). */
export function sourcesOf({ spec = {} }: Draft<Nacos>): readonly SourceRef[] {
  return OWNERS.flatMap((owner) => {
    const { name, key } = spec[FIELDS[owner]] ?? {}
    return name ? [{ owner, name, key: key || KEYS[owner] }] : []
  })
}

/** Whether the configuration is merged from sources; spec.config is ignored then (NC-MRG-02). */
export const isMerging = (nacos: Draft<Nacos>) => sourcesOf(nacos).length > 0

/** Whether the configuration is spec.config (NC-BC-01). */
export const isOldWay = (nacos: Draft<Nacos>) => !isMerging(nacos) && Boolean(nacos.spec?.config)

/** Where the merged configuration goes, whether or not there is one. */
export function finalNameOf({ spec = {} }: Draft<Nacos>, name: string): string {
  return spec.finalConfigName || `${name}-final-config`
}

/** The overlay of the pods, whether or not admission moved it to the name that it has (NC-ADM-05). */
export const overlayOf = (spec: Nacos['spec']): Tree => spec?.k8sWrapper?.PodSpec ?? spec?.k8sWrapper?.podSpec ?? {}

/** The names of the StatefulSet and the Services. */
export const childNamesOf = (name: string) => [name, `${name}-headless`, `${name}-client`]

/** The members that there are to be, whether or not admission wrote them into the object (NC-ADM-07). */
export const replicasOf = ({ spec }: Draft<Nacos>) => spec?.replicas ?? (spec?.type === 'cluster' ? 3 : 1)
