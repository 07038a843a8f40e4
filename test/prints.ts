import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { knownOf } from '../src/commands/known.ts'
import { manifests, printable } from '../src/commands/manifests.ts'
import { configFrom } from '../src/commands/settings.ts'
import { printedFiles } from '../src/print/files.ts'
import { families } from '../webhooks/index.ts'
import { badInputPage } from './contracts/bad-input-page.ts'

/** The printed files of the repository: written by `npm run print`, compared by `--check`. */
const chosen = { families, known: knownOf(families), explicit: new Set<string>(), words: [] }
const installed = families.filter(({ off }) => off !== true)
const usual = configFrom({ args: [], env: {}, names: manifests.settings, readFile: () => ({}) })
export const prints: Readonly<Record<string, string>> = {
  ...printedFiles(families, printable({ ...chosen, families: installed }, usual)),
  'docs/bad-input.md': badInputPage(),
}

/** As if no family were off. */
export const printsOfAll = printedFiles(
  families.map(({ off: _, ...family }) => family),
  printable(chosen, usual),
)

export function stale(): readonly string[] {
  return Object.entries(prints).flatMap(([path, content]) => (committed(path) === content ? [] : [path]))
}
function committed(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function write(): void {
  for (const [path, content] of Object.entries(prints)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (!process.argv.includes('--check')) write()
  const old = stale()
  if (old.length > 0) process.stderr.write(`stale, "npm run print" mends it: ${old.join(', ')}\n`)
  process.exitCode = old.length === 0 ? 0 : 1
}
