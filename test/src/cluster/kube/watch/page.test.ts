import { expect, it } from 'vitest'
import { type PageLimits, pager } from '../../../../../src/cluster/kube/watch/page.ts'
import { Fault } from '../../../../../src/faults.ts'

const EACH = 4_000
const TOO_LARGE = Number.POSITIVE_INFINITY

/** The sizes of pages that are asked for, where the objects of each have so many characters. */
async function sizes(limits: PageLimits, objects: readonly number[]): Promise<readonly number[]> {
  const asked: number[] = []
  const page = pager(limits)
  const left = [...objects]
  while (left.length > 0)
    await page('', async ({ limit }) => {
      asked.push(Number(limit))
      const each = left.shift() ?? 0
      if (each === TOO_LARGE) throw new Fault('ANSWER_TOO_LARGE', 'it does not end')
      return { status: 200, body: {}, length: Number(limit) * each }
    })
  return asked
}

it.each<{ name: string; limits?: PageLimits; objects: readonly number[]; asks: readonly number[] }>([
  { name: 'has 500 small objects', objects: [1_000, 1_000, 1_000], asks: [500, 500, 500] },
  { name: 'has fewer large ones', objects: [EACH, EACH, 100_000, EACH], asks: [500, 250, 250, 10] },
  { name: 'is never empty', objects: [5_000_000, 5_000_000], asks: [500, 1] },
  { name: 'grows to twice at most', objects: [5_000_000, 10, 10, 10], asks: [500, 1, 2, 4] },
  { name: 'has no more than are wanted', limits: { objects: 2 }, objects: [10, 10], asks: [2, 2] },
  { name: 'begins as small as is wanted', limits: { objects: 3, first: 1 }, objects: [9, 9, 9], asks: [1, 2, 3] },
  { name: 'is as long as is wanted', limits: { characters: 8_000 }, objects: [EACH, EACH], asks: [500, 2] },
  {
    name: 'never again has as many as were too many',
    objects: [TOO_LARGE, 10, TOO_LARGE, 10, 10],
    asks: [500, 63, 63, 8, 8],
  },
])('a page $name', async ({ limits = {}, objects, asks }) => {
  expect(await sizes(limits, objects)).toEqual(asks)
})

it('a page of one object that is too large is an error', async () => {
  await expect(sizes({ first: 1 }, [TOO_LARGE])).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' })
})
