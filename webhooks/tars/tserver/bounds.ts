import type { Finding, Findings } from '../../kit/admission.ts'
import type { Draft, KubeObject } from '../../kit/schema.ts'
import { ANNOTATIONS } from '../names.ts'
import type { TServer } from './schema.ts'

const { minReplicas, maxReplicas } = ANNOTATIONS
const BOUND = /^[1-9]?[0-9]$/

interface Bounds {
  readonly min?: number
  readonly max?: number
}
type Annotated = Pick<Draft<KubeObject>, 'metadata'>

/** Ignores a bound that is not a number, and both if min > max. */
export function boundsOf({ metadata }: Annotated): Bounds {
  const [min, max] = [boundIn(metadata, minReplicas), boundIn(metadata, maxReplicas)]
  if (min !== undefined && max !== undefined && min > max) return {}
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

function boundIn(metadata: Annotated['metadata'], key: string): number | undefined {
  const text = textIn(metadata, key)
  return text !== undefined && BOUND.test(text) ? Number(text) : undefined
}

const textIn = (metadata: Annotated['metadata'], key: string) => metadata?.annotations?.[key]
const pathOf = (key: string) => `metadata.annotations[${key}]`

/** TS-V20 */
export function illegalBounds({ metadata }: Annotated): Findings {
  const illegal = [minReplicas, maxReplicas].flatMap((key): readonly Finding[] => {
    const value = textIn(metadata, key)
    return value === undefined || BOUND.test(value) ? [] : [{ path: pathOf(key), value }]
  })
  const [min, max] = [boundIn(metadata, minReplicas), boundIn(metadata, maxReplicas)]
  if (min === undefined || max === undefined || min <= max) return illegal
  return [{ path: pathOf(minReplicas), value: `${min} > ${max}`, by: [maxReplicas] }]
}

/** Why the number of replicas differs from the one in the object. */
export const NO_RELEASE = 'there is no release'
export const TOO_FEW = `annotation ${minReplicas} asks for more`
export const TOO_MANY = `annotation ${maxReplicas} allows no more`

/** None without a release, otherwise as many of the requested replicas as the bounds allow. */
export function replicasFor(requested: number, server: Draft<TServer>): number {
  if (server.spec?.release === undefined) return 0
  const { min = requested, max = Number.POSITIVE_INFINITY } = boundsOf(server)
  return Math.min(Math.max(requested, min), max)
}
