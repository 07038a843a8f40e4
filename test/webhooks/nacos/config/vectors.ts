import { readFileSync } from 'node:fs'

type Pairs = readonly (readonly [string, string])[]
/** How a JVM reads a text. */
export interface Vector {
  readonly source: string
  readonly normalised?: string
  readonly entries?: Pairs
  readonly malformed?: true
  /** Only where Spring Boot's loader answers something else. */
  readonly spring?: 'refused' | Pairs | readonly Pairs[]
}
export interface MergeVector {
  readonly name: string
  readonly internal: string
  readonly user: string
  readonly size: number
  readonly digest: string
}

const { vectors, merge }: { vectors: readonly Vector[]; merge: readonly MergeVector[] } = JSON.parse(
  readFileSync('test/fixtures/properties-vectors.json', 'utf8'),
)
export const VECTORS = vectors
export const MERGES = merge
