import type { Built, Words } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'
import { GOING } from './templates.ts'

interface ImageWishes {
  readonly imageType?: string
  readonly supportedType?: readonly string[]
  readonly releases?: readonly Tree[]
  readonly usual?: string
  readonly build?: Tree
  /** As the mutations leave them when absent. */
  readonly labels?: Words
  /** Waits for its finalizers. */
  readonly going?: boolean
}

export function aTImage({
  imageType = 'server',
  supportedType,
  releases,
  usual,
  build,
  labels = { 'tars.io/ImageType': imageType },
  going = false,
}: ImageWishes = {}): Built {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TImage',
    metadata: { name: 'demo-echo', namespace: 'demo', labels, ...(going && GOING) },
    imageType,
    ...(supportedType && { supportedType }),
    ...(releases && { releases }),
    ...(usual !== undefined && { default: usual }),
    ...(build && { build }),
  }
}

export const MADE = '2022-01-17T02:22:15Z'
export const aRelease = (id: string) => ({ id, image: `registry.example/echo:${id}`, createTime: MADE })
