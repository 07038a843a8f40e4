import type { Create, Update } from '../../kit/admission.ts'
import type { ClusterReader, Found, Tree } from '../../kit/schema.ts'
import { textIn, treesIn } from './objects/parts.ts'
import { NACOS, type Nacos } from './schema.ts'

export type NacosWrite = Create<Nacos> | Update<Nacos>

/** The overlay of the container that runs the server: it has the name of the Nacos. */
export function mainOverlay({ metadata: { name }, spec }: Nacos): Tree | undefined {
  return overlaidContainers(spec).find((container) => container.name === name)
}

export const overlaidContainers = (spec: Nacos['spec']) => treesIn(spec?.k8sWrapper?.PodSpec?.containers)

/** The overlay wins (NC-STS-25). */
export const imageOf = (nacos: Nacos) => textIn(mainOverlay(nacos)?.image) || nacos.spec?.image || ''

/** The others of the namespace. */
export async function othersOf(
  { next, namespace }: NacosWrite,
  cluster: ClusterReader,
): Promise<readonly Found<Nacos>[]> {
  const all = await cluster.list(NACOS, { namespace })
  return all.filter(({ metadata }) => metadata.name !== next.metadata.name)
}
