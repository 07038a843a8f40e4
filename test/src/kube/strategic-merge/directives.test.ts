import { describe, expect, it } from 'vitest'
import { withoutDirectives } from '../../../../src/kube/strategic-merge/directives.ts'
import { strategicMerge } from '../../../../src/kube/strategic-merge/merge.ts'
import { MergeError } from '../../../../src/kube/strategic-merge/merge-error.ts'
import type { Tree } from '../../../../src/schema.ts'
import { A, B, containers, labels, ordered } from '../../../support/merge-cases.ts'

describe('SMP-POST-1 what the API server would not store', () => {
  it.each<readonly [string, Tree, Tree]>([
    ['nulls', labels({ a: null, b: '1' }), labels({ b: '1' })],
    ['elements with $patch', containers(A, { ...B, $patch: 'delete' }, null), containers(A)],
    [
      'directives of an object, which stays',
      labels({ $patch: 'replace', $retainKeys: [], a: '1' }),
      labels({ a: '1' }),
    ],
    ['directives that name a field', ordered([A], [A]), containers(A)],
    ['nothing else', containers(A, B), containers(A, B)],
  ])('%s', (_, result, is) => expect(withoutDirectives(result)).toEqual(is))
})

it('an error names the place, and no value', () => {
  const merge = () => strategicMerge(containers(A), containers(B, { ...A, env: 'x', $patch: 'secret' }))
  expect(merge).toThrow(new MergeError('spec.containers[1]', 'an element takes $patch with delete or replace'))
})

it('what nests too deep is refused, and not the stack', () => {
  const deep = (levels: number): Tree => (levels === 0 ? {} : { a: deep(levels - 1) })
  const around = (levels: number) => Array.from({ length: levels }).reduce<Tree>((inner) => ({ a: inner }), deep(50))
  expect(() => strategicMerge({}, around(50_000))).toThrow(MergeError)
  expect(() => withoutDirectives(around(50_000))).toThrow(MergeError)
})
