import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Cache } from '../../../../../src/cluster/kube/cache/cache.ts'
import { joinAll } from '../../../../../src/cluster/kube/cache/joined.ts'
import { SharedCache } from '../../../../../src/cluster/kube/cache/shared-cache.ts'
import type { Built } from '../../../../../src/cluster/port.ts'
import { Recorder } from '../../../../support/fakes/recorder.ts'

const thing = (namespace: string, name: string, resourceVersion = '1'): Built => ({
  metadata: { namespace, name, resourceVersion },
})
function part() {
  const objects = new Cache({ byLabels: [] })
  const cache = new SharedCache(objects, () => undefined)
  const list = (...there: readonly Built[]) => {
    cache.begin()
    cache.add(there)
    cache.done()
  }
  return { objects, cache, list }
}

async function joined() {
  const [a, b] = [part(), part()]
  const ear = new Recorder()
  const following = joinAll([a, b], ear)
  await setImmediate()
  return { a, b, ear, following }
}

describe('WR-7 the caches of several namespaces, told as one', () => {
  it('nothing is told until all are listed, and then all in one list', async () => {
    const { a, b, ear } = await joined()
    a.list(thing('a', 'one'))
    a.cache.put(thing('a', 'two'))
    a.cache.remove(thing('a', 'one'))
    expect(ear.notes).toEqual([])
    b.list(thing('b', 'three'))
    expect(ear.notes).toEqual(['list two three'])
  })

  it('a new list of one of them does not take away the objects of the others', async () => {
    const { a, b, ear } = await joined()
    a.list(thing('a', 'one'))
    b.list(thing('b', 'two'))
    a.list(thing('a', 'other'))
    expect(ear.notes).toEqual(['list one two', 'remove one', 'list other two'])
  })

  it('one that joins late hears one list, and then each change', async () => {
    const { a, b } = await joined()
    a.list(thing('a', 'one'))
    b.list(thing('b', 'two'))
    const late = new Recorder()
    const following = joinAll([a, b], late)
    await setImmediate()
    b.cache.put(thing('b', 'two', '7'))
    a.cache.remove(thing('a', 'one'))
    following.stop()
    b.cache.put(thing('b', 'two', '8'))
    expect(late.notes).toEqual(['list one two', 'put two@7', 'remove one'])
  })

  it('of no caches the list is empty, unless it has stopped to listen', async () => {
    const [ear, deaf] = [new Recorder(), new Recorder()]
    joinAll([], ear)
    joinAll([], deaf).stop()
    await setImmediate()
    expect([ear.notes, deaf.notes]).toEqual([['list'], []])
  })
})
