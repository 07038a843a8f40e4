import { expect, it } from 'vitest'
import type { Built, Sink } from '../../../src/cluster/port.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

/** All objects of a resource. */
export function watching({ cluster, namespace, at, create, holding }: Bench): void {
  const SPEC = { fields: ['spec.count'] }
  const needs = [{ resource: GADGET, keeps: SPEC }]
  const edit = (name: string, count: number) =>
    cluster().patch(GADGET, at(name), [{ op: 'replace', path: '/spec/count', value: count }])

  it('begins with what is there, and tells of each change in its order, and of the last state of what is gone', async () => {
    await create('one', { count: 1 })
    const ear = listener(namespace())
    const watching = cluster().watch(GADGET, SPEC, ear.sink)
    expect(await ear.heard(1)).toEqual(['list one@1'])
    await create('two', { count: 1 })
    await edit('two', 2)
    await cluster().remove(GADGET, at('two'))
    expect(await ear.heard(4)).toEqual(['list one@1', 'put two@1', 'put two@2', 'remove two@2'])
    watching.stop()
  })

  it('serves more than one sink, each from its own beginning to its own end', async () => {
    const { watcher } = await holding(needs)
    const [first, second] = [listener(namespace()), listener(namespace())]
    const watching = watcher.watch(GADGET, SPEC, first.sink)
    await first.heard(1)
    await create('one', { count: 1 })
    await first.heard(2)
    const late = watcher.watch(GADGET, SPEC, second.sink)
    expect(await second.heard(1)).toEqual(['list one@1'])
    watching.stop()
    await edit('one', 2)
    expect(await second.heard(2)).toEqual(['list one@1', 'put one@2'])
    expect(await first.heard(2)).toEqual(['list', 'put one@1'])
    expect(first.count()).toBe(2)
    late.stop()
  })

  it('tells of nothing that a look-up does not find', async () => {
    const held = await holding(needs)
    const ear = listener(namespace())
    const found: unknown[] = []
    const look = async () => found.push((await held.readers.cached.get(GADGET, at('one')))?.spec?.count)
    const watching = held.watcher.watch(GADGET, SPEC, {
      ...ear.sink,
      put(object) {
        void look()
        ear.sink.put(object)
      },
      remove(object) {
        void look()
        ear.sink.remove(object)
      },
    })
    await ear.heard(1)
    await create('one', { count: 1 })
    await edit('one', 2)
    await cluster().remove(GADGET, at('one'))
    await ear.heard(4)
    expect(found.slice(0, 1).concat(found.slice(-1))).toEqual([1, undefined])
    watching.stop()
  })

  it('tells of the fields that are kept, and of no others', async () => {
    await create('one', { count: 1, owner: 'ann' })
    const reported = Promise.withResolvers<readonly Built[]>()
    const { sink } = listener(namespace())
    const watching = cluster().watch(GADGET, SPEC, { ...sink, add: reported.resolve })
    const one = (await reported.promise).find(({ metadata }) => metadata.namespace === namespace())
    expect(one).toEqual({
      metadata: expect.not.objectContaining({ creationTimestamp: expect.anything() }),
      spec: { count: 1 },
    })
    watching.stop()
  })

  it('of what carries a label tells when an object gains it, and when it loses it', async () => {
    await create('one', { count: 1 })
    await create('two', { count: 1 }, { labels: { team: 'edge' } })
    const ear = listener(namespace())
    const watching = cluster().watch(GADGET, { ...SPEC, carrying: ['team'] }, ear.sink)
    expect(await ear.heard(1)).toEqual(['list two@1'])
    await cluster().merge(GADGET, at('one'), { metadata: { labels: { team: 'core' } } })
    await cluster().merge(GADGET, at('two'), { metadata: { labels: { team: null } }, spec: { count: 2 } })
    expect(await ear.heard(3)).toEqual(['list two@1', 'put one@1', 'remove two@1'])
    watching.stop()
  })

  it('goes on for others, and for the writer, when a sink throws', async () => {
    const { watcher } = await holding(needs)
    const [deaf, ear] = [listener(namespace()), listener(namespace())]
    const fail = () => {
      throw new Error('deaf')
    }
    const watchings = [
      watcher.watch(GADGET, SPEC, { ...deaf.sink, begin: fail, put: fail }),
      watcher.watch(GADGET, SPEC, ear.sink),
    ]
    await ear.heard(1)
    await create('one', { count: 1 })
    expect(await ear.heard(2)).toEqual(['list', 'put one@1'])
    for (const each of watchings) each.stop()
  })
}

/** Hears what is told of one namespace: `list one@1`, `put one@2`, `remove one@2`, each with its count. */
function listener(namespace: string) {
  const reported: string[] = []
  let wake = () => {}
  let listed: string[] = []
  const nameOf = ({ metadata, spec }: Built) => {
    const count = typeof spec === 'object' && spec !== null && 'count' in spec ? spec.count : ''
    return metadata.namespace === namespace ? [`${metadata.name}@${count}`] : []
  }
  function note(words: readonly string[]): void {
    reported.push(words.join(' '))
    wake()
  }
  const noteOf = (word: string) => (object: Built) => {
    for (const name of nameOf(object)) note([word, name])
  }
  const sink: Sink = {
    begin() {
      listed = []
    },
    add(objects) {
      listed.push(...objects.flatMap(nameOf))
    },
    done: () => note(['list', ...listed.toSorted()]),
    put: noteOf('put'),
    remove: noteOf('remove'),
  }
  return {
    sink,
    count: () => reported.length,
    async heard(count: number): Promise<readonly string[]> {
      while (reported.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await promise
      }
      return reported.slice(0, count)
    },
  }
}
