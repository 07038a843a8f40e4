import { BAD_INPUT } from './bad-input/catalogue.ts'
import type { BadInput } from './bad-input/entry.ts'

const HEAD = `# Bad input

Printed from test/contracts/bad-input by \`npm run print\`; a check fails when this page is stale. Each row says what
arrives at the port of reviews, and what the server answers:

- HTTP: the HTTP status. \`closed\` means that the server closes the connection; otherwise the same connection serves
  the next review. All other connections go on in either case.
- code: the code in log and metrics. For a review that the server understands it is \`allowed\`, \`patched\` or the
  reason of the refusal.
- message: what a person reads. A patch stands before it.`

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
