import type { Draft, Words } from '../../kit/schema.ts'
import { LABELS } from '../names.ts'
import type { TServer } from './schema.ts'

export type Spec = TServer['spec']
type Tars = NonNullable<Spec['tars']>
type Port = NonNullable<Tars['ports']>[number]
export type Mount = NonNullable<Spec['k8s']['mounts']>[number]
export type HostPort = NonNullable<Spec['k8s']['hostPorts']>[number]

/** Whether the TARS node agent runs the server. The block that is present overrides subType. */
export function isTars({ subType, tars, normal }: Pick<Draft<Spec>, 'subType' | 'tars' | 'normal'>): boolean {
  const isClear = (tars === undefined) !== (normal === undefined)
  return isClear ? tars !== undefined : subType === 'tars'
}

/** A named port, and the field that requests it. */
export interface Place {
  /** `spec.tars.servants[0]` */
  readonly path: string
  /** `servants[0]` */
  readonly short: string
  readonly name: string
  readonly port: number
  readonly protocol: 'TCP' | 'UDP'
}

/** Keeps the order of the object, servants first. */
export function placesOf(spec: Spec): readonly Place[] {
  return [...servantsOf(spec), ...portsOf(spec)]
}

export function servantsOf(spec: Spec): readonly Place[] {
  return isTars(spec) ? (spec.tars?.servants ?? []).map(placeIn('tars', 'servants')) : []
}

export function portsOf(spec: Spec): readonly Place[] {
  const block = isTars(spec) ? 'tars' : 'normal'
  return (spec[block]?.ports ?? []).map(placeIn(block, 'ports'))
}

const placeIn =
  (block: 'tars' | 'normal', field: string) =>
  ({ name, port, isTcp = true }: Port, at: number): Place => {
    const short = `${field}[${at}]`
    return { path: `spec.${block}.${short}`, short, name, port, protocol: isTcp ? 'TCP' : 'UDP' }
  }

export const mountsOf = ({ k8s }: Spec): readonly Mount[] => k8s.mounts ?? []
/** The StatefulSet has a claim per pod for such a mount. */
export const CLAIMS = ['persistentVolumeClaimTemplate', 'tLocalVolume'] as const
export const isClaim = ({ source }: Mount) => CLAIMS.some((kind) => source[kind] !== undefined)
export const hostPortsOf = ({ k8s }: Spec): readonly HostPort[] => k8s.hostPorts ?? []

/** TS-M7 */
export function needsNodeOfItsOwn({ k8s }: Pick<Draft<Spec>, 'k8s'>): boolean {
  const { hostPorts = [], hostIPC = false } = k8s ?? {}
  return hostPorts.length > 0 || hostIPC
}

/** The name of the server's TServer and of all that is created for it. */
export function nameOf({ app, server }: Pick<Spec, 'app' | 'server'>): string {
  return `${app}-${server}`.toLowerCase()
}

/** The name of the server whose labels an object carries. */
export function nameIn({ [LABELS.app]: app, [LABELS.server]: server }: Words): string | undefined {
  return app === undefined || server === undefined ? undefined : nameOf({ app, server })
}
