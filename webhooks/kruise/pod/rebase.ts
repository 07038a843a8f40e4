import type { Tree } from '../../kit/schema.ts'
import { CONTAINERS, eachIn, type Merging, specOf, touchedIn, touches, treesIn, without } from '../list/touched.ts'
import { HOST_NETWORK_TOLERATION, isSameToleration } from '../tolerations.ts'

type Named = ReadonlyMap<unknown, Tree>
const byName = (elements: readonly Tree[]): Named => new Map(elements.map((each) => [each.name, each]))
const has = (holder: Tree, key: string) => Object.hasOwn(holder, key)
const someHas = (elements: readonly Tree[] | undefined, key: string) =>
  elements?.some((each) => has(each, key)) === true

/**
 * A pod arrives with values that the API server and its plugins derived from the template. Where a patch touches what
 * they came from they go, as if the template had been patched: the API server derives them again (spec 6.3).
 */
export function rebased(pod: Tree, template: Tree, entries: readonly Merging[]): Tree {
  const [before, origin] = [specOf(pod), specOf(template)]
  const steps = [containersRebased, volumesRebased, pullSecretsRebased, tolerationsRebased]
  const spec = steps.reduce((each, step) => step(each, origin, entries), before)
  return spec === before ? pod : { ...pod, spec }
}

function containersRebased(before: Tree, origin: Tree, entries: readonly Merging[]): Tree {
  const isHostTouched = touches(entries, 'hostNetwork')
  let hasResources = false
  const spec = CONTAINERS.reduce((whole, list) => {
    const [origins, touched] = [byName(treesIn(origin, list)), touchedIn(entries, list)]
    return eachIn(whole, list, (container) => {
      const from = origins.get(container.name)
      if (from === undefined) return container
      const patches = touched.get(container.name)
      hasResources ||= someHas(patches, 'resources')
      const reset = someHas(patches, 'resources') ? resourcesAsIn(from, container) : container
      const pulled =
        someHas(patches, 'image') && !has(from, 'imagePullPolicy') ? without(reset, ['imagePullPolicy']) : reset
      return isHostTouched ? portsRebased(pulled, from) : pulled
    })
  }, before)
  return hasResources && !has(origin, 'resources') ? without(spec, ['resources']) : spec
}

/** PATCH-POD-RB-1: requests that were filled from limits, and what a LimitRange added. */
function resourcesAsIn({ resources }: Tree, container: Tree): Tree {
  return resources === undefined ? without(container, ['resources']) : { ...container, resources }
}

/** PATCH-POD-RB-4 */
function portsRebased(container: Tree, from: Tree): Tree {
  const withoutHostPort = treesIn(from, 'ports').filter((port) => !has(port, 'hostPort'))
  return eachIn(container, 'ports', (port) =>
    withoutHostPort.some((each) => isSamePort(each, port)) ? without(port, ['hostPort']) : port,
  )
}
const isSamePort = (one: Tree, other: Tree) =>
  one.containerPort === other.containerPort && (one.protocol ?? 'TCP') === (other.protocol ?? 'TCP')

/** PATCH-POD-RB-5: a volume without a source becomes an emptyDir. */
function volumesRebased(spec: Tree, origin: Tree, entries: readonly Merging[]): Tree {
  const touched = touchedIn(entries, 'volumes')
  if (touched.size === 0) return spec
  const sourceless = byName(
    treesIn(origin, 'volumes').filter((volume) => Object.keys(volume).every((key) => key === 'name')),
  )
  return eachIn(spec, 'volumes', (volume) => {
    const brings = touched.get(volume.name)?.some((patch) => Object.keys(patch).some(isSource)) === true
    return brings && sourceless.has(volume.name) ? without(volume, ['emptyDir']) : volume
  })
}
const isSource = (key: string) => key !== 'name' && key !== 'emptyDir' && !key.startsWith('$')

/** PATCH-POD-RB-6: those of the service account. */
function pullSecretsRebased(spec: Tree, origin: Tree, entries: readonly Merging[]): Tree {
  const field = 'imagePullSecrets'
  const goes = touches(entries, 'serviceAccountName') && !touches(entries, field) && !has(origin, field)
  return goes ? without(spec, [field]) : spec
}

/** The toleration that the controller adds for the host network alone; PATCH-POD-INV-2 brings it back. */
function tolerationsRebased(spec: Tree, origin: Tree, entries: readonly Merging[]): Tree {
  const isOwn = treesIn(origin, 'tolerations').some((each) => isSameToleration(each, HOST_NETWORK_TOLERATION))
  if (isOwn || !touches(entries, 'hostNetwork')) return spec
  const tolerations = treesIn(spec, 'tolerations')
  const kept = tolerations.filter((each) => !isSameToleration(each, HOST_NETWORK_TOLERATION))
  return kept.length === tolerations.length ? spec : { ...spec, tolerations: kept }
}
