import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { metricsOf } from '../../src/process/metrics.ts'

/** A row of the page for each metric, in the words that a scrape shows. */
const ROWS = metricsOf()
  .registry.getMetricsAsArray()
  .map((metric) => `| \`${metric.name}\` | ${labelsOf(metric)} | ${metric.help} |`.replace('|  |', '| |'))

describe('the metrics of docs/operations.md', () => {
  it('are those of the registry, with the same labels and help, one row each', () => {
    const page = readFileSync('docs/operations.md', 'utf8')
    const [, table = ''] = /^\| name \| labels \| \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/m.exec(page) ?? []
    expect(table.trimEnd().split('\n').sort()).toEqual([...ROWS].sort())
  })

  it.each(['README.md', 'CHANGELOG.md', ...globSync('docs/*.md')])('%s names no other', (page) => {
    const named = readFileSync(page, 'utf8').match(/\btars_admission_\w*[a-z]\b/g) ?? []
    const known = ROWS.map((row) => row.split('`')[1])
    expect(
      named.map((name) => name.replace(/_(?:count|sum|bucket)$/, '')).filter((name) => !known.includes(name)),
    ).toEqual([])
  })
})

function labelsOf(metric: object): string {
  const names: unknown = 'labelNames' in metric ? metric.labelNames : []
  return Array.isArray(names) ? names.map((name) => `\`${name}\``).join(', ') : ''
}
