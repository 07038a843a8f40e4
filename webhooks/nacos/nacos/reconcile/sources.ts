import { isTerminating } from '../../../../src/kube/metadata.ts'
import { all, defineController, type Key, type Plan, type Sight } from '../../../kit/controller.ts'
import type { Found, KubeObject } from '../../../kit/schema.ts'
import { CONFIG_MAP, type ConfigMap } from '../../kubernetes.ts'
import { CONFIG_ROLES, LABELS } from '../../names.ts'
import { NACOS } from '../schema.ts'
import { SOURCES } from './indexes.ts'

/** The field manager of the label, and of nothing else. */
export const LABEL_MANAGER = 'tars-admission-nacos-label'

export interface SourceSeen {
  readonly configMap: Found<ConfigMap>
  readonly isUsed: boolean
}

/** Labels the ConfigMaps that some Nacos names as a source: those alone are asked about at the door (NC-ADM-01). */
export const nacosSourcesController = defineController<ConfigMap, SourceSeen>({
  name: 'nacos-sources',
  of: CONFIG_MAP,
  keeps: { byLabels: [LABELS.configRole], fields: ['metadata.deletionTimestamp'] },
  watches: [all(NACOS, sourceKeys, { byField: [SOURCES] })],
  reads: [{ resource: CONFIG_MAP, asks: ['get'] }],
  writes: [{ resource: CONFIG_MAP, verbs: ['apply'] }],
  observe,
  plan,
})

function sourceKeys(object: KubeObject): readonly Key[] {
  const { namespace = '' } = object.metadata
  return SOURCES.valuesOf(object).map((name) => ({ namespace, name }))
}

async function observe(key: Key, { cached, live }: Sight): Promise<SourceSeen | undefined> {
  const kept = await cached.get(CONFIG_MAP, key)
  if (kept === undefined || isTerminating(kept)) return undefined
  const { namespace, name: value } = key
  const users = await cached.list(NACOS, { namespace, by: { index: SOURCES, value }, metadataOnly: true, limit: 1 })
  const isUsed = users.length > 0
  if (!isToLabel({ configMap: kept, isUsed })) return undefined
  const configMap = await live.get(CONFIG_MAP, key)
  return configMap && { configMap, isUsed }
}

/** A ConfigMap with another role, or with one that a user gave it, keeps that. */
function isToLabel({ configMap, isUsed }: SourceSeen): boolean {
  const role = configMap.metadata.labels?.[LABELS.configRole]
  return isUsed ? role === undefined : role === CONFIG_ROLES.source
}

export function plan(seen: SourceSeen): Plan {
  if (!isToLabel(seen)) return { actions: [] }
  const { namespace = '', name } = seen.configMap.metadata
  const labels = seen.isUsed ? { [LABELS.configRole]: CONFIG_ROLES.source } : {}
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name, labels } }
  const over = seen.configMap
  return {
    actions: [
      { do: 'apply', of: CONFIG_MAP, object, over, manager: LABEL_MANAGER, compares: 'dry run', because: 'NC-ADM-01' },
    ],
  }
}
