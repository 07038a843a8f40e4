import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** What makes notices: controllers, and the machine that runs them. */
const FILES = [
  ...globSync('webhooks/*/*/{reconcile,plan,notices}.ts'),
  ...globSync('webhooks/*/*/reconcile/*.ts'),
  'src/reconcile/auditor.ts',
  'src/reconcile/reconciler.ts',
  'src/reconcile/turn-result.ts',
]
const TYPES = ['Normal', 'Warning']

/** The words on the lines that say a reason. */
function reasonsIn(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines
    .filter((line) => /\breason\b|\b(normal|warning)\(/.test(line))
    .flatMap((line) => [...line.matchAll(/'([A-Z][A-Za-z]+)'/g)].map(([, word = '']) => word))
    .filter((word) => !TYPES.includes(word))
}
const inCode = [...new Set(FILES.flatMap(reasonsIn))].sort()

describe('the events of docs/authors.md', () => {
  const [, page = ''] = /^## Events$([\s\S]*?)^## /m.exec(readFileSync('docs/authors.md', 'utf8')) ?? []
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)]

  it('are those that the worker writes', () => {
    expect(rows.map(([, reason]) => reason).sort()).toEqual(inCode)
    expect(inCode).toContain('OutControl')
  })
  it.each(rows.map(([, reason = '', , words = '']) => ({ reason, words })))('$reason says what to do', ({ words }) => {
    expect(words).toMatch(/\. [A-Z]|the same of|It is tried again/)
  })
  it('notices with a reason by another way would be overlooked: none is in another file', () => {
    const others = globSync('{webhooks,src}/**/*.ts').filter((file) => !FILES.includes(file))
    const made = others.filter((file) => /type: '(Normal|Warning)'(?! \|)/.test(readFileSync(file, 'utf8')))
    expect(made).toEqual([])
  })
})
