import type { KubeObject, Ref, Resource, Words } from './cluster/port.ts'

/** A metric of a family, declared beside what it measures. Its name is the whole name, with the prefix of the family. */
export interface Metric {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  readonly help: string
  /** Of a histogram. */
  readonly buckets?: readonly number[]
  /** The object that the labels of a series name, in each version of its kind: the series goes when there is none. */
  readonly about?: (labels: Words) => readonly SeriesObject[]
}
export interface SeriesObject {
  readonly of: Resource<KubeObject>
  readonly ref: Ref
}

/** One measurement. A counter grows by its value, a gauge is set to it, and a histogram observes it. */
export interface Sample {
  readonly metric: Metric
  readonly labels: Words
  readonly value: number
}
export type Measure = (samples: readonly Sample[]) => void
