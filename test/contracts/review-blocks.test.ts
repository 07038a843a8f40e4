import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commandsIn, wordsOf } from '../support/console-blocks.ts'
import { ran } from '../support/world.ts'

const PAGES = ['README.md', 'docs/review.md', 'docs/nacos.md']
const REVIEWS = PAGES.flatMap((page) =>
  commandsIn(readFileSync(page, 'utf8'))
    .filter(({ line }) => line.startsWith('npx --no-install tars-admission review '))
    .map((command) => ({ page, ...command })),
)

it.each(PAGES)('%s shows a review', (page) => {
  expect(REVIEWS.map((each) => each.page)).toContain(page)
})
it.each(REVIEWS)('$page: $line', async ({ line, outcome }) => {
  const [, , , ...words] = wordsOf(line)
  const { code, out, err } = await ran(words)
  if (outcome === '') expect({ code, err }).toEqual({ code: 0, err: '' })
  else expect(`${out}${err}`).toBe(outcome)
})
