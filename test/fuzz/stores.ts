import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { Store } from '../../src/cluster/kube/cache/store.ts'
import type { Built } from '../../src/cluster/port.ts'
import { must, target } from './target.ts'

const LABELS = ['one', '__proto__']
const NAMES = ['a', 'b', '__proto__']
const HOMES = ['', 'x']
const [names, homes] = [fc.constantFrom(...NAMES), fc.constantFrom(...HOMES)]
const words = fc
  .array(fc.tuple(fc.constantFrom(...LABELS, 'no index'), names), { maxLength: 3 })
  .map((all) => Object.fromEntries(all))
const write = fc.record({
  namespace: homes,
  name: names,
  labels: fc.option(words, { nil: undefined }),
  goes: fc.boolean(),
})
/** Every label with every value, alone and beside one that has no index. */
const QUESTIONS = LABELS.flatMap((label) =>
  NAMES.flatMap((value) =>
    [{}, { 'no index': 'a' }].map((more) => Object.fromEntries([[label, value], ...Object.entries(more)])),
  ),
)

export const stores = target({
  name: 'the store answers as one that looks at every object (CL-3)',
  share: 2,
  cases: fc.array(write, { maxLength: 20 }),
  holds(writes) {
    const store = new Store(LABELS)
    const model = new Map<string, Built>()
    for (const { goes, labels, ...ref } of writes) {
      const object = { metadata: { ...ref, ...(labels && { labels }) } }
      if (goes) store.remove(ref)
      else store.put(object)
      if (goes) model.delete(keyOf(object))
      else model.set(keyOf(object), object)
      must(store.get(ref) === model.get(keyOf(object)), 'another object')
    }
    for (const namespace of HOMES) {
      for (const labels of [{}, ...QUESTIONS]) {
        const found = store.list({ namespace, labels }).map(keyOf).sort()
        must(isDeepStrictEqual(found, naively(model, namespace, labels).sort()), 'another list')
      }
    }
  },
})

const keyOf = ({ metadata: { namespace = '', name } }: Pick<Built, 'metadata'>) => `${namespace}/${name}`
function naively(model: ReadonlyMap<string, Built>, namespace: string, wanted: Readonly<Record<string, string>>) {
  const all = [...model.values()].filter(({ metadata }) => namespace === '' || metadata.namespace === namespace)
  const fitting = all.filter(({ metadata }) => {
    const has = new Map(Object.entries(metadata.labels ?? {}))
    return Object.entries(wanted).every(([label, value]) => has.get(label) === value)
  })
  return fitting.map(keyOf)
}
