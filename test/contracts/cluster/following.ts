import { expect, it } from 'vitest'
import type { Built } from '../../../src/cluster/port.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

export function following({ cluster, at, create }: Bench): void {
  it('tells that there is none, of each change in its order, and of the end', async () => {
    const ear = listener()
    const following = cluster().follow(GADGET, at('one'), ear.tell)
    expect(await ear.heard(1)).toEqual([undefined])
    await create('one', { count: 1 })
    await ear.heard(2) // the watch stands: before, two changes may arrive as one
    await cluster().patch(GADGET, at('one'), [{ op: 'replace', path: '/spec/count', value: 2 }])
    await cluster().patch(GADGET, at('one'), [{ op: 'replace', path: '/spec/count', value: 3 }])
    await cluster().remove(GADGET, at('one'))
    const reported = await ear.heard(5)
    expect(reported.map((object) => object?.spec)).toMatchObject([
      undefined,
      { count: 1 },
      { count: 2 },
      { count: 3 },
      undefined,
    ])
    following.stop()
  })

  it('begins with what is there', async () => {
    const { metadata } = await create('one')
    const ear = listener()
    const following = cluster().follow(GADGET, at('one'), ear.tell)
    expect(await ear.heard(1)).toMatchObject([{ metadata: { uid: metadata.uid } }])
    following.stop()
  })

  it('says nothing of others, nor of a write that changes nothing', async () => {
    await create('one')
    const ear = listener()
    const following = cluster().follow(GADGET, at('one'), ear.tell)
    await ear.heard(1)
    await create('two')
    await cluster().patch(GADGET, at('one'), [])
    await cluster().remove(GADGET, at('one'))
    expect(await ear.heard(2)).toEqual([expect.anything(), undefined])
    following.stop()
  })

  it('says nothing after it was stopped', async () => {
    const [ear, witness] = [listener(), listener()]
    const following = cluster().follow(GADGET, at('one'), ear.tell)
    const witnessing = cluster().follow(GADGET, at('one'), witness.tell)
    await Promise.all([ear.heard(1), witness.heard(1)])
    following.stop()
    await create('one')
    await witness.heard(2)
    expect(await ear.heard(1)).toHaveLength(1)
    expect(ear.count()).toBe(1)
    witnessing.stop()
  })

  it('goes on for others, and for the writer, when a listener throws', async () => {
    const ear = listener()
    const deaf = cluster().follow(GADGET, at('one'), () => {
      throw new Error('deaf')
    })
    const following = cluster().follow(GADGET, at('one'), ear.tell)
    await ear.heard(1)
    await create('one')
    expect(await ear.heard(2)).toHaveLength(2)
    for (const each of [deaf, following]) each.stop()
  })
}

/** Hears what is told, as long as one likes to wait. */
function listener() {
  const reported: (Built | undefined)[] = []
  let wake = () => {}
  return {
    tell(object: Built | undefined): void {
      reported.push(object)
      wake()
    },
    async heard(count: number): Promise<readonly (Built | undefined)[]> {
      while (reported.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await promise
      }
      return reported.slice(0, count)
    },
    count: () => reported.length,
  }
}
