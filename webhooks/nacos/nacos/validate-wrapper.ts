import type { Finding, Findings } from '../../kit/admission.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { CONFIG_VOLUME, MOUNT_PATHS } from '../names.ts'
import { mainOverlay, type OwnRule, overlaidContainers } from './case.ts'
import { textIn, treesIn } from './objects/parts.ts'
import { overlayProblem } from './objects/pod-spec.ts'
import type { Nacos } from './schema.ts'
import { finalNameOf, isMerging, overlayOf } from './shape.ts'

const WRAPPER = 'spec.k8sWrapper'
const POD_SPEC = `${WRAPPER}.PodSpec`
const CONTAINERS = `${POD_SPEC}.containers`
const MANAGED = 'is managed through finalConfigName'

/** The overlay of the pod. */
export const wrapperRule: OwnRule = {
  id: 'NC-ADM-19',
  field: `${WRAPPER}, ${POD_SPEC}, ${CONTAINERS}`,
  on: 'write',
  check: ({ next }) => {
    const found = [...twoOverlays(next), ...(isMerging(next) ? foreignConfig(next) : []), ...imageless(next)]
    return found.length > 0 ? found : unmergeable(next)
  },
  message: ({ value = '' }: Finding) => `${value}`,
  examples: [
    { path: WRAPPER, value: 'set only one of PodSpec and podSpec' },
    { path: POD_SPEC, value: `mount path ${MOUNT_PATHS.final} ${MANAGED}` },
    { path: POD_SPEC, value: `volume ${CONFIG_VOLUME} ${MANAGED}` },
    { path: POD_SPEC, value: 'cannot be merged: <why>' },
    { path: CONTAINERS, value: '"<container>" has no image; the Nacos container must be named "<name>"' },
  ],
  remedy: 'correct the overlay, or take that part of it away',
}

function twoOverlays({ spec }: Nacos): Findings {
  const { PodSpec, podSpec } = spec?.k8sWrapper ?? {}
  const isBoth = PodSpec !== undefined && podSpec !== undefined
  return isBoth ? [{ path: WRAPPER, value: 'set only one of PodSpec and podSpec' }] : []
}

/** NC-STS-26 */
function foreignConfig(nacos: Nacos): Findings {
  const mounts = treesIn(mainOverlay(nacos)?.volumeMounts)
  const volumes = treesIn(overlayOf(nacos.spec).volumes)
  const isForeign = mounts.some(({ name, mountPath }) => name !== CONFIG_VOLUME && isAtConfig(textIn(mountPath)))
  const isReplaced = volumes.some((volume) => volume.name === CONFIG_VOLUME && !isTuned(volume, nacos))
  return [
    ...(isForeign ? [{ path: POD_SPEC, value: `mount path ${MOUNT_PATHS.final} ${MANAGED}` }] : []),
    ...(isReplaced ? [{ path: POD_SPEC, value: `volume ${CONFIG_VOLUME} ${MANAGED}` }] : []),
  ]
}

const isAtConfig = (path: string) => `/${path.split('/').filter(Boolean).join('/')}` === MOUNT_PATHS.final

/** Of the volume an overlay may set `defaultMode` and `optional`, and name the ConfigMap that it is of. */
function isTuned({ name: _, configMap = {}, ...others }: Tree, nacos: Nacos): boolean {
  if (!isTree(configMap) || Object.keys(others).length > 0) return false
  const { defaultMode: __, optional: ___, name = '', ...rest } = configMap
  return Object.keys(rest).length === 0 && ['', finalNameOf(nacos, nacos.metadata.name)].includes(textIn(name))
}

function imageless({ metadata: { name }, spec }: Nacos): Findings {
  const bare = overlaidContainers(spec).filter((container) => container.name !== name && textIn(container.image) === '')
  return bare.map((container) => ({
    path: CONTAINERS,
    value: `"${textIn(container.name)}" has no image; the Nacos container must be named "${name}"`,
  }))
}

function unmergeable(nacos: Nacos): Findings {
  const why = overlayProblem(nacos)
  return why === undefined ? [] : [{ path: POD_SPEC, value: `cannot be merged: ${why}` }]
}
