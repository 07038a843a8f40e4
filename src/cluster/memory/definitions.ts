import type { Kind } from '../../kind.ts'
import type { MemoryDefinition } from './memory-kind.ts'

/** What an API server knows of kinds after their CustomResourceDefinitions were applied. Built-in kinds have no definition. */
export function definitionsOf(kinds: readonly Kind[]): readonly MemoryDefinition[] {
  return kinds.flatMap(({ resource, definition, rules, identity }) => {
    if (definition === undefined) return []
    const hasTwins = rules.some(({ cel }) => cel !== undefined)
    return [{ ...resource, ...definition.subresources, ...(hasTwins && { identity }) }]
  })
}
