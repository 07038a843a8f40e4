import type { Create, Findings, RuleWords, Update } from '../../kit/admission.ts'
import type { ClusterReader, Found, Tree } from '../../kit/schema.ts'
import { textIn, treesIn } from './objects/parts.ts'
import { NACOS, type Nacos } from './schema.ts'
import { overlayOf } from './shape.ts'

export type NacosWrite = Create<Nacos> | Update<Nacos>

/** A Nacos, and what it was before. */
export interface NacosStates {
  readonly next: Nacos
  readonly prev?: Nacos
}
/** A rule that looks at nothing but the Nacos itself. */
export interface OwnRule extends RuleWords {
  readonly on: 'create' | 'update' | 'write'
  readonly when?: (states: NacosStates) => boolean
  readonly check: (states: NacosStates) => Findings
}

/** The overlay of the container that runs the server: it has the name of the Nacos. */
export function mainOverlay({ metadata: { name }, spec }: Nacos): Tree | undefined {
  return overlaidContainers(spec).find((container) => container.name === name)
}

export const overlaidContainers = (spec: Nacos['spec']) => treesIn(overlayOf(spec).containers)

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
