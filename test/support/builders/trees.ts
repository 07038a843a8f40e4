import { isTree, type Tree } from '../../../src/schema.ts'

/** What stands at a path like `spec.template.spec.containers.0.args`, of anything. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)]
    return isTree(inner) ? inner[step] : undefined
  }, value)
}

export function treesOf(list: unknown): readonly Tree[] {
  return Array.isArray(list) ? list.filter(isTree) : []
}
