import { strategicMerge } from '../../../../src/kube/strategic-merge/merge.ts'
import type { Tree } from '../../../kit/schema.ts'
import { textIn, treeIn, treesIn } from './parts.ts'

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep']
const HANDLED = ['livenessProbe', 'readinessProbe', 'startupProbe']

/**
 * Lays the PodSpec of the author over the generated one (NC-STS-25): a strategic merge, for which both sides are prepared
 * where that would make an invalid pod.
 */
export function overlaid(base: Tree, overlay: Tree): Tree {
  const { tolerations, ...rest } = overlay
  const merged = strategicMerge({ spec: withoutReplaced(base, overlay) }, { spec: withOwnPorts(base, rest) })
  const all = unique([...treesIn(base.tolerations), ...treesIn(tolerations)])
  return { ...treeIn(merged.spec), ...(all.length > 0 && { tolerations: all }) }
}

/** What an entry of the overlay replaces as a whole: the value of a variable, and the handler of a probe. */
function withoutReplaced(base: Tree, overlay: Tree): Tree {
  const containers = treesIn(base.containers).map((container) => {
    const other = namesake(container, overlay)
    const env = treesIn(container.env).filter(
      ({ name }) => !treesIn(other.env).some((each) => each.name === name && isSet(each)),
    )
    return { ...container, env, ...unhandled(container, other) }
  })
  return { ...base, containers }
}
const isSet = (variable: Tree) => 'value' in variable || 'valueFrom' in variable
const namesake = ({ name }: Tree, { containers }: Tree): Tree =>
  treesIn(containers).find((each) => each.name === name) ?? {}

function unhandled(container: Tree, other: Tree): Tree {
  const replaced = HANDLED.filter((probe) => HANDLERS.some((handler) => handler in treeIn(other[probe])))
  const bare = (probe: string) => Object.entries(treeIn(container[probe])).filter(([key]) => !HANDLERS.includes(key))
  return Object.fromEntries(
    replaced.flatMap((probe) => (probe in container ? [[probe, Object.fromEntries(bare(probe))]] : [])),
  )
}

/** Ports merge by their name, and without one by number and protocol; the strategic merge knows the number alone. */
function withOwnPorts(base: Tree, overlay: Tree): Tree {
  if (!Array.isArray(overlay.containers)) return overlay
  const containers = overlay.containers.map((container: unknown) => {
    const { ports, ...rest } = treeIn(container)
    const mine = namesake(rest, base)
    return Array.isArray(ports)
      ? { ...rest, ports: [{ $patch: 'replace' }, ...portsOf(treesIn(mine.ports), treesIn(ports))] }
      : container
  })
  return { ...overlay, containers }
}

function portsOf(base: readonly Tree[], overlay: readonly Tree[]): readonly Tree[] {
  const replacing = (port: Tree) => overlay.find((each) => isSamePort(port, each))
  const merged = base.map((port) => ({ ...port, ...replacing(port) }))
  return [...merged, ...overlay.filter((each) => !base.some((port) => isSamePort(port, each)))]
}
function isSamePort(one: Tree, other: Tree): boolean {
  if (textIn(one.name) !== '' && textIn(other.name) !== '') return one.name === other.name
  return one.containerPort === other.containerPort && protocolOf(one) === protocolOf(other)
}
const protocolOf = ({ protocol }: Tree) => textIn(protocol) || 'TCP'

function unique(items: readonly Tree[]): readonly Tree[] {
  const byText = new Map(items.map((item) => [JSON.stringify(Object.entries(item).sort()), item]))
  return [...byText.values()]
}
