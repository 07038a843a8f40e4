import { globSync, readFileSync } from 'node:fs'

/** Tables of cases stand in files of their own, too. Of contracts none: they hold lists of ids, which test nothing. */
const files = globSync('test/**/*.ts', { exclude: ['test/contracts/*.test.ts'] })
/** What follows `it(`, `describe(`, the table of an `each`, or the `name:` of one of its rows. */
const TITLE = /(?:\b(?:it|describe)\(|\)\(|\bname:)\s*(?:'([^']*)'|"([^"]*)"|`([^`]*)`)/g
const titles = files
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(TITLE)].map(([, ...texts]) => texts.join('')))
  .join('\n')

/** Whether the title of a test names the rule. */
export const isNamed = (id: string) => new RegExp(`\\b${id}\\b`).test(titles)
