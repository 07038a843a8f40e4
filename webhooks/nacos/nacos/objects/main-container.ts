import type { Tree } from '../../../kit/schema.ts'
import { CONFIG_VOLUME } from '../../names.ts'
import { overlayOf } from '../shape.ts'
import { dataVolumeOf } from './data-volume.ts'
import { envFor } from './env.ts'
import { filled, textIn, treeIn, treesIn } from './parts.ts'
import { readinessProbe } from './probe.ts'
import type { MembersSubject } from './subject.ts'

const port = (name: string, containerPort: number) => ({ name, containerPort, protocol: 'TCP' })
const PORTS = [port('client', 8848), port('cluster-rpc', 9849), port('new-rpc', 9848), port('rpc', 7848)]
const STARTUP = ['/bin/bash', '-c', 'bin/docker-startup.sh']

/** The container of the server, before the overlay; it has the name of the Nacos. */
export function mainContainer(subject: MembersSubject): Tree {
  const { nacos, config } = subject
  const { type, image, resources, livenessProbe } = nacos.spec ?? {}
  const mounts = config === undefined ? [] : [{ name: CONFIG_VOLUME, mountPath: config.path, subPath: config.key }]
  return {
    name: nacos.metadata.name,
    ports: PORTS,
    env: envFor(nacos),
    ...filled({
      image,
      resources,
      livenessProbe,
      command: type === 'cluster' ? STARTUP : undefined,
      readinessProbe: probeOf(subject),
      volumeMounts: [...mounts, ...dataVolumeOf(nacos).volumeMounts],
    }),
  }
}

/** One of the author, in the spec or in the overlay, comes before ours. */
function probeOf(subject: MembersSubject): unknown {
  const { nacos, contextPath } = subject
  const own = nacos.spec?.readinessProbe
  if (own !== undefined) return own
  const { readinessProbe: overlaid, image } = named(overlayOf(nacos.spec), nacos.metadata.name)
  if (overlaid !== undefined) return undefined
  return readinessProbe(textIn(image) || nacos.spec?.image || '', contextPath) ?? liveProbeOf(subject)
}

const liveProbeOf = ({ nacos, live }: MembersSubject) => named(templateSpecOf(live), nacos.metadata.name).readinessProbe

export const templateOf = (workload: unknown) => treeIn(treeIn(treeIn(workload).spec).template)
export const templateSpecOf = (workload: unknown) => treeIn(templateOf(workload).spec)
export const named = ({ containers }: Tree, name: string): Tree =>
  treesIn(containers).find((container) => container.name === name) ?? {}
