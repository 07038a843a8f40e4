import type { Tree } from '../../kit/schema.ts'
import { sourceKey } from '../aggregation/sources.ts'

/** What the author of an object learns by an event. */
export interface ConversionNote {
  readonly reason:
    | 'RuleSkipped'
    | 'ServiceNotFound'
    | 'InvalidAnnotation'
    | 'ConfigError'
    | 'Unsupported'
    | 'WeightsUnsupported'
  readonly message: string
}
export interface ConvertedRule {
  readonly hostname: string
  /** Empty for every path. */
  readonly path: string
  readonly service: string
  readonly originRequest?: Tree
}
/** Of an object that is looked up. */
export type Annotations = Readonly<Record<string, string | undefined>> | null | undefined

/** What an object contributes to the configuration of its tunnel. */
export interface Converted {
  readonly rules: readonly ConvertedRule[]
  readonly notes: readonly ConversionNote[]
}
export const together = (parts: readonly Converted[]): Converted => ({
  rules: parts.flatMap(({ rules }) => rules),
  notes: parts.flatMap(({ notes }) => notes),
})

interface Contributing {
  readonly metadata: {
    readonly namespace?: string | undefined
    readonly name?: string | undefined
    readonly generation?: number | undefined
    readonly creationTimestamp?: string | null | undefined
  }
}
/** A source as it is written (spec 4.2). The priority stands at the source and at its rules (CF-AGG-07). */
export function builtSource(
  kind: string,
  { metadata: { namespace = '', name = '', generation, creationTimestamp } }: Contributing,
  priority: number,
  content: { readonly rules?: readonly ConvertedRule[]; readonly settings?: Tree },
): { readonly key: string; readonly source: Tree } {
  const source = {
    kind,
    ...(namespace !== '' && { namespace }),
    name,
    ...(generation !== undefined && { generation }),
    priority,
    ...(content.settings && { settings: content.settings }),
    ...(content.rules && { rules: content.rules.map((rule) => ({ ...writtenRule(rule), priority })) }),
    ...(creationTimestamp != null && { createdAt: creationTimestamp }),
  }
  return { key: sourceKey(kind, namespace, name), source }
}
const writtenRule = ({ hostname, path, service, originRequest }: ConvertedRule): Tree => ({
  ...(hostname !== '' && { hostname }),
  ...(path !== '' && { path }),
  service,
  ...(originRequest && { originRequest }),
})
