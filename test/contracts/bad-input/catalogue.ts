import type { BadInput } from './entry.ts'
import { GUARDS } from './guards.ts'
import { overruledIn } from './overruled.ts'
import { REQUESTS, REVIEWS } from './requests.ts'
import { SCALES } from './scale.ts'
import { TACCOUNTS } from './taccount.ts'
import { TCONFIGS } from './tconfig.ts'
import { TDEPLOYS } from './tdeploy.ts'
import { TFRAMEWORKCONFIGS } from './tframeworkconfig.ts'
import { TIMAGES } from './timage.ts'
import { TSERVERS } from './tserver.ts'
import { TTEMPLATES } from './ttemplate.ts'
import { TTREES } from './ttree.ts'

/** The catalogue of bad input (platform.md §8, RL-11), of which every kind has a chapter. */
const CHAPTERS: Readonly<Record<string, readonly BadInput[]>> = {
  'HTTP and TLS': REQUESTS,
  Reviews: REVIEWS,
  TDeploy: TDEPLOYS,
  TServer: TSERVERS,
  'Scale of a TServer': SCALES,
  TTemplate: TTEMPLATES,
  TConfig: TCONFIGS,
  TAccount: TACCOUNTS,
  TImage: TIMAGES,
  TTree: TTREES,
  TFrameworkConfig: TFRAMEWORKCONFIGS,
  'Service, StatefulSet and DaemonSet': GUARDS,
}

export interface Entry extends BadInput {
  readonly chapter: string
}

export const BAD_INPUT: readonly Entry[] = Object.entries(CHAPTERS).flatMap(([chapter, rows]) =>
  rows.map((entry) => {
    const message = [entry.message, ...overruledIn(chapter, entry.name)].join('\n')
    return { chapter, ...entry, message }
  }),
)

const HEAD = `# Bad input

Printed from test/contracts/bad-input by \`npm run print\`; a check fails when this page is stale. What may arrive at the
port of reviews, and what is said to it: the status of HTTP, the code that log and metrics name (of a review that was understood:
allowed, patched, or why it is refused) and what a person gets to read, a patch before it. Behind each the same connection
serves the next review, unless it is marked as closed, and the server serves everybody else.`

/** docs/bad-input.md. */
export function badInputPage(): string {
  return `${[HEAD, ...Object.keys(CHAPTERS).map(chapterOf)].join('\n\n')}\n`
}

function chapterOf(title: string): string {
  const rows = BAD_INPUT.filter(({ chapter }) => chapter === title).map(rowOf)
  return [`## ${title}\n`, '| what arrives | HTTP | code | message |', '|---|---|---|---|', ...rows].join('\n')
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
