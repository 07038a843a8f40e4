import { MergeError } from '../../../../src/kube/strategic-merge/merge-error.ts'
import type { Tree } from '../../../kit/schema.ts'
import { CONFIG_VOLUME } from '../../names.ts'
import type { Nacos } from '../schema.ts'
import { overlayOf } from '../shape.ts'
import { dataVolumeOf } from './data-volume.ts'
import { mainContainer } from './main-container.ts'
import { overlaid } from './overlay.ts'
import { filled, sortedBy, treesIn } from './parts.ts'
import type { MembersSubject } from './subject.ts'

/** The pods of a Nacos, in the order of NC-STS-14. */
export function podSpec(subject: MembersSubject): Tree {
  const { nacos } = subject
  const { affinity, nodeSelector, tolerations, imagePullSecrets } = nacos.spec ?? {}
  const volumes = [...configVolume(subject), ...dataVolumeOf(nacos).volumes]
  const base = {
    containers: [mainContainer(subject)],
    ...filled({ volumes, affinity, nodeSelector, tolerations, imagePullSecrets }),
  }
  return ordered(overlaid(base, overlayOf(nacos.spec)))
}

/** Why the overlay cannot be laid over the generated pod at all, however many members there are. */
export function overlayProblem(nacos: Nacos): string | undefined {
  const config = { configMap: '', key: '', path: '', digest: '' }
  try {
    podSpec({ nacos: { ...nacos, spec: { ...nacos.spec, replicas: 1 } }, config })
    return undefined
  } catch (cause) {
    if (!(cause instanceof MergeError)) throw cause
    return cause.message
  }
}

function configVolume({ config }: MembersSubject): readonly Tree[] {
  if (config === undefined) return []
  const { configMap: name, key } = config
  return [{ name: CONFIG_VOLUME, configMap: { name, items: [{ key, path: key }] } }]
}

const byName = (list: unknown) => sortedBy(treesIn(list), ({ name }) => name)
const ORDERS: Readonly<Record<string, (list: unknown) => readonly Tree[]>> = {
  containers: (list) => byName(list).map((container) => inOrder(container, OF_CONTAINER)),
  initContainers: (list) => byName(list).map((container) => inOrder(container, OF_CONTAINER)),
  volumes: byName,
  tolerations: (list) =>
    sortedBy(
      treesIn(list),
      (each) => each.key,
      (each) => each.operator,
      (each) => each.value,
      (each) => each.effect,
    ),
}
const OF_CONTAINER: typeof ORDERS = {
  env: byName,
  ports: byName,
  volumeMounts: (list) =>
    sortedBy(
      treesIn(list),
      (each) => each.name,
      (each) => each.mountPath,
      (each) => each.subPath,
    ),
}

const ordered = (spec: Tree): Tree => inOrder(spec, ORDERS)
/** A list with anything but objects in it stays as it is, for the API server to refuse. */
function inOrder(tree: Tree, orders: typeof ORDERS): Tree {
  const sorted = Object.entries(orders).flatMap(([key, order]) => {
    const list = tree[key]
    return Array.isArray(list) && treesIn(list).length === list.length ? [[key, order(list)] as const] : []
  })
  return { ...tree, ...Object.fromEntries(sorted) }
}
