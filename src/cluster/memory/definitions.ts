import type { Kind } from '../../kind.ts'
import type { MemoryDefinition } from './memory-kind.ts'

/** What an API server knows of kinds after their CustomResourceDefinitions were applied; others have none of ours. */
export function definitionsOf(kinds: readonly Kind[]): readonly MemoryDefinition[] {
  return kinds.flatMap(({ resource, definition, rules, identity }) => {
    if (definition === undefined) return []
    const hasTwins = rules.some(({ cel }) => cel !== undefined)
    return [{ ...resource, ...definition.subresources, ...(hasTwins && { identity }) }]
  })
}
