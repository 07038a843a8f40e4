import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutDirectives } from '../../../../src/kube/strategic-merge/directives.ts'
import { strategicMerge } from '../../../../src/kube/strategic-merge/merge.ts'
import { MergeError } from '../../../../src/kube/strategic-merge/merge-error.ts'
import { isTree, type Tree } from '../../../../src/schema.ts'
import { pairsOf } from '../../../support/merge-pairs.ts'

const seeds = fc.integer({ min: 0, max: 2 ** 31 })
const pairs = seeds.map((seed) => pairsOf(seed)())
const RUNS = { numRuns: 500 }

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen)
  return Object.freeze(value)
}

/** Undefined where the patch cannot be applied. */
function merged(original: Tree, patch: unknown): Tree | undefined {
  try {
    return strategicMerge(original, patch)
  } catch (error) {
    if (error instanceof MergeError) return undefined
    throw error
  }
}

/** The order of no list counts. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(unordered(each))).sort()
  if (!isTree(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, unordered(value[key])]),
  )
}

const name = fc.constantFrom('a', 'b', 'c', 'd')
const entries = (key: string, of: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.uniqueArray(fc.record({ [key]: name, ...of }), { selector: (each) => each[key], maxLength: 3 })
const container = { image: name, env: entries('name', { value: name }), args: fc.array(name) }
/** Of a container for each of the names. */
const plain = (names: readonly string[]) =>
  fc
    .tuple(
      fc.dictionary(name, name),
      fc.subarray([...names]),
      fc.array(fc.record(container), { minLength: 4, maxLength: 4 }),
    )
    .map(([labels, chosen, parts]) => ({
      metadata: { labels },
      spec: { containers: chosen.map((each, i) => ({ name: each, ...parts[i] })) },
    }))
const template = plain(['a', 'b', 'c', 'd'])

describe('PATCH-T-3 whatever the pod and the patch', () => {
  it('the inputs stay as they are', () => {
    fc.assert(
      fc.property(pairs, ({ original, patch }) => {
        merged(frozen(original), frozen(patch))
      }),
      RUNS,
    )
  })

  it('a patch without keys changes nothing', () => {
    fc.assert(
      fc.property(pairs, ({ original }) => {
        expect(strategicMerge(original, {})).toEqual(original)
      }),
      RUNS,
    )
  })

  it('no key reaches a prototype', () => {
    const own = JSON.parse('{"metadata":{"labels":{"__proto__":"x","constructor":"y"},"__proto__":{"name":"z"}}}')
    const over = strategicMerge({ metadata: { labels: JSON.parse('{"__proto__":"w"}') } }, own)
    for (const result of [strategicMerge({}, own), over, withoutDirectives(over)]) {
      expect(JSON.parse(JSON.stringify(result))).toEqual(own)
      expect(Object.keys(isTree(result.metadata) ? result.metadata : {}).sort()).toEqual(['__proto__', 'labels'])
      expect(isTree(result.metadata) && Object.getPrototypeOf(result.metadata)).toBe(Object.prototype)
    }
    expect(Reflect.get({}, 'name')).toBeUndefined()
  })

  it('patches of other containers commute, up to the order of lists', () => {
    const labelless = ({ spec }: Tree) => ({ spec })
    fc.assert(
      fc.property(template, plain(['a', 'b']).map(labelless), plain(['c', 'd']).map(labelless), (of, one, other) => {
        const [left, right] = [
          strategicMerge(strategicMerge(of, one), other),
          strategicMerge(strategicMerge(of, other), one),
        ]
        expect(unordered(left)).toEqual(unordered(right))
      }),
      RUNS,
    )
  })

  it('a second time changes nothing but the order, without directives and duplicates', () => {
    fc.assert(
      fc.property(template, template, (of, by) => {
        const once = strategicMerge(of, by)
        expect(unordered(strategicMerge(once, by))).toEqual(unordered(once))
      }),
      RUNS,
    )
  })

  it('long lists of duplicates take no time of their square', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `n${i % 50_000}`)
    const elements = names.map((name) => ({ name }))
    const deleted = elements.map((each, i) => (i % 2 === 0 ? { ...each, $patch: 'delete' } : each))
    const of = { metadata: { finalizers: names }, spec: { containers: elements } }
    const order = elements.filter((_, i) => i % 2 === 1).slice(0, 25_000)
    const by = {
      metadata: { finalizers: names.toReversed() },
      spec: { containers: deleted.slice(0, 50_000), '$setElementOrder/containers': order },
    }
    const start = performance.now()
    expect(strategicMerge(of, by).metadata).toEqual({ finalizers: names.slice(50_000).toReversed() })
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
