import type { Built } from '../../../kit/controller.ts'
import { ANNOTATIONS, CONFIG_ROLES, LABELS } from '../../names.ts'
import type { Nacos } from '../schema.ts'
import { childMetadata, copied } from './metadata.ts'

/** A configuration as it is to be stored. */
export interface WantedConfig {
  readonly configMap: string
  readonly key: string
  readonly text: string
  readonly digest: string
  /** What it was merged from (spec 1.5); absent in the old way. */
  readonly sources?: string
}

/** The ConfigMap that the pods mount: never in binaryData, and never immutable (NC-MRG-24). */
export function configMapFor(nacos: Nacos, { configMap, key, text, digest, sources }: WantedConfig): Built {
  const annotations = {
    ...copied(nacos.metadata.annotations),
    [ANNOTATIONS.configDigest]: digest,
    ...(sources !== undefined && { [ANNOTATIONS.configSources]: sources }),
  }
  const labels = { [LABELS.configRole]: CONFIG_ROLES.final }
  const metadata = childMetadata(nacos, configMap, { labels, annotations })
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [key]: text } }
}
