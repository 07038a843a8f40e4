import { expect, it } from 'vitest'
import { linesOf } from '../../../../../src/cluster/kube/wire/lines.ts'

const TEXT = 'one\n\ntwo, longer\nthree\nnot ended'

it.each(Array.from({ length: TEXT.length }, (_, size) => ({ size: size + 1 })))(
  'lines are the same in chunks of $size',
  async ({ size }) => {
    expect(await Array.fromAsync(linesOf(chunksOf(TEXT, size)))).toEqual(['one', '', 'two, longer', 'three'])
  },
)

it('a stream of nothing has no lines', async () => {
  expect(await Array.fromAsync(linesOf(chunksOf('', 1)))).toEqual([])
})

it('a line that has no end is a fault before it takes all the memory', async () => {
  const endless = Array.fromAsync(linesOf(chunksOf('one\n'.padEnd(100, 'x'), 7), 50))
  await expect(endless).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' })
})

async function* chunksOf(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
