import type { Labels } from '../../../src/kube/labels.ts'
import { type ClusterReader, object, resource } from '../../kit/schema.ts'

export const NODE = resource({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' }, object({}))

export async function nodeLabels(cluster: ClusterReader): Promise<readonly Labels[]> {
  const nodes = await cluster.list(NODE, { namespace: '', metadataOnly: true })
  return nodes.map(({ metadata }) => metadata.labels)
}
