import { BAD_INPUT } from './bad-input/catalogue.ts'
import type { BadInput } from './bad-input/entry.ts'

const HEAD = `# Bad input

Printed from test/contracts/bad-input by \`npm run print\`; a check fails when this page is stale. What may arrive at the
port of reviews, and what is said to it: the status of HTTP, the code that log and metrics name (of a review that was understood:
allowed, patched, or why it is refused) and what a person gets to read, a patch before it. Behind each the same connection
serves the next review, unless it is marked as closed, and the server serves everybody else.`

/** docs/bad-input.md. */
export function badInputPage(): string {
  const chapters = [...Map.groupBy(BAD_INPUT, ({ chapter }) => chapter)]
  return `${[HEAD, ...chapters.map(([title, rows]) => chapterOf(title, rows))].join('\n\n')}\n`
}

function chapterOf(title: string, rows: readonly BadInput[]): string {
  const head = [`## ${title}\n`, '| what arrives | HTTP | code | message |', '|---|---|---|---|']
  return [...head, ...rows.map(rowOf)].join('\n')
}

function rowOf({ name, http, code, message, closes }: BadInput): string {
  const status = closes ? `${http}, closed` : String(http)
  return `| ${[name, status, code, message].map(cellOf).join(' | ')} |`
}

/** A bare `<now>` is taken for a tag, and is not seen; so are control characters. */
const cellOf = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '\\<')
    .replaceAll('\n', '<br>')
    .replaceAll(/\p{Cc}/gu, (sign) => JSON.stringify(sign).slice(1, -1))
