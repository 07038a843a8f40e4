import { expect } from 'vitest'
import { strategicMerge } from '../../src/kube/strategic-merge/merge.ts'
import { MergeError } from '../../src/kube/strategic-merge/merge-error.ts'
import type { Tree } from '../../src/schema.ts'

export const REFUSED = 'refused'
export interface MergeCase {
  readonly name: string
  readonly of: Tree
  readonly by: unknown
  readonly is: Tree | typeof REFUSED
}

export function showMerge({ of, by, is }: Omit<MergeCase, 'name'>): void {
  const merge = () => strategicMerge(of, by)
  if (is === REFUSED) expect(merge).toThrow(MergeError)
  else expect(merge()).toEqual(is)
}

export const [A, B, C] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }] as const
export const labels = (of: Tree) => ({ metadata: { labels: of } })
export const finalizers = (...of: readonly unknown[]) => ({ metadata: { finalizers: of } })
export const containers = (...of: readonly unknown[]) => ({ spec: { containers: of } })
export const volumes = (...of: readonly unknown[]) => ({ spec: { volumes: of } })
export const ordered = (order: unknown, of?: readonly unknown[]) => ({
  spec: { '$setElementOrder/containers': order, ...(of && { containers: of }) },
})
export const args = (of: unknown) => containers({ ...A, args: of })
