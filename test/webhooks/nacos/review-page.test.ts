import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commandsIn, wordsOf } from '../../support/console-blocks.ts'
import { ran } from '../../support/world.ts'

const REVIEWS = commandsIn(readFileSync('docs/nacos.md', 'utf8')).filter(({ line }) => line.includes(' review '))

it('docs/nacos.md shows a review', () => {
  expect(REVIEWS).toHaveLength(1)
})
it.each(REVIEWS)('docs/nacos.md: $line', async ({ line, outcome }) => {
  const [, , , ...words] = wordsOf(line)
  const { out, err } = await ran(words)
  expect(`${out}${err}`).toBe(outcome)
})
