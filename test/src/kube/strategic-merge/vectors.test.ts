import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { strategicMerge } from '../../../../src/kube/strategic-merge/merge.ts'
import { MergeError } from '../../../../src/kube/strategic-merge/merge-error.ts'
import type { Tree } from '../../../../src/schema.ts'

interface Vector {
  readonly name: string
  readonly rules: readonly string[]
  readonly original: Tree
  readonly patch: unknown
  readonly expected?: Tree
}

const FILE = new URL('../../../fixtures/smp-vectors.json', import.meta.url)
const vectors: readonly Vector[] = JSON.parse(readFileSync(FILE, 'utf8'))

describe('PATCH-T-1 strategic merges come out as kubectl makes them', () => {
  it('all vectors are here', () => expect(vectors).toHaveLength(99))

  it.each(vectors)('$name ($rules)', ({ original, patch, expected }) => {
    const merge = () => strategicMerge(original, patch)
    if (expected === undefined) expect(merge).toThrow(MergeError)
    else expect(merge()).toEqual(expected)
  })
})
