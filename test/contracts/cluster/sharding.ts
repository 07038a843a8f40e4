import { expect, it } from 'vitest'
import type { Built, Sink } from '../../../src/cluster/port.ts'
import { resource } from '../../../src/cluster/resource.ts'
import { object } from '../../../src/schema.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

const NAMESPACE = resource(
  { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', scope: 'Cluster' },
  object({}),
)
const AMONG = 'default'
const OUTSIDE = 'kube-public'

/** A process that works in some namespaces (WR-7). The names of its objects are those of its own namespace. */
export function sharding({ cluster, namespace, gadget, holding }: Bench): void {
  const keeps = { fields: ['spec.title'] }
  const here = () => ({ namespaces: [namespace(), AMONG], home: 'elsewhere' })
  const needs = [{ resource: GADGET, keeps }]
  const create = (home: string, name: string) =>
    cluster().create(GADGET, { ...gadget(`${namespace()}-${name}`, {}, { namespace: home }) })
  const wordsOf = (objects: readonly Built[]) => objects.flatMap((each) => wordOf(each, namespace()))

  async function three(): Promise<void> {
    await create(namespace(), 'a')
    await create(AMONG, 'b')
    await create(OUTSIDE, 'c')
  }

  it('WR-7 lists what is in its namespaces as one, and nothing else', async () => {
    await three()
    const { cached } = (await holding(needs, here())).readers
    const names = async (home: string) => wordsOf(await cached.list(GADGET, { namespace: home }))
    expect((await names('')).toSorted()).toEqual(['a', 'b'])
    expect([await names(namespace()), await names(AMONG)]).toEqual([['a'], ['b']])
  })

  it('WR-7 finds an object of each of its namespaces, and reads those of others live', async () => {
    await three()
    const { cached } = (await holding(needs, here())).readers
    const find = async (home: string, name: string) =>
      (await cached.get(GADGET, { namespace: home, name: `${namespace()}-${name}` }))?.metadata.namespace
    expect([await find(namespace(), 'a'), await find(AMONG, 'b'), await find(OUTSIDE, 'c')]).toEqual([
      namespace(),
      AMONG,
      OUTSIDE,
    ])
    expect(await find(AMONG, 'a')).toBeUndefined()
  })

  it.each(['kept', 'not kept'])('WR-7 watches its namespaces as one: %s', async (kept) => {
    await three()
    const { watcher } = await holding(kept === 'kept' ? needs : [], here())
    const { sink, heard } = listener(namespace())
    const watching = watcher.watch(GADGET, keeps, sink)
    expect(await heard(1)).toEqual(['list a b'])
    await create(OUTSIDE, 'd')
    await create(AMONG, 'e')
    expect(await heard(2)).toEqual(['list a b', 'put e'])
    await cluster().remove(GADGET, { namespace: namespace(), name: `${namespace()}-a` })
    expect(await heard(3)).toEqual(['list a b', 'put e', 'remove a'])
    watching.stop()
  })

  it.each([
    { name: 'its own is among them', home: AMONG, list: 'list x' },
    { name: 'its own is not among them', home: OUTSIDE, list: 'list' },
  ])('WR-7 works on what has no namespace where $name', async ({ home, list }) => {
    const name = `${namespace()}-x`
    await cluster().create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const { watcher } = await holding([{ resource: NAMESPACE, keeps }], { ...here(), home })
    const { sink, heard } = listener(namespace())
    const watching = watcher.watch(NAMESPACE, keeps, sink)
    expect(await heard(1)).toEqual([list])
    watching.stop()
    await cluster().remove(NAMESPACE, { namespace: '', name })
  })
}

/** What stands behind the prefix; objects without it are of other tests. */
function wordOf({ metadata: { name } }: Built, prefix: string): readonly string[] {
  return name.startsWith(`${prefix}-`) ? [name.slice(prefix.length + 1)] : []
}

/** Hears `list a b`, `put c`, `remove a`. */
function listener(prefix: string) {
  const notes: string[] = []
  let listed: string[] = []
  let wake = () => {}
  function note(...words: readonly string[]): void {
    notes.push(words.join(' '))
    wake()
  }
  const tell = (what: string) => (object: Built) => {
    for (const word of wordOf(object, prefix)) note(what, word)
  }
  const sink: Sink = {
    begin() {
      listed = []
    },
    add(objects) {
      listed.push(...objects.flatMap((each) => wordOf(each, prefix)))
    },
    done: () => note('list', ...listed.toSorted()),
    put: tell('put'),
    remove: tell('remove'),
  }
  async function heard(count: number): Promise<readonly string[]> {
    while (notes.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return notes
  }
  return { sink, heard }
}
