import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kubeMetrics } from '../../src/cluster/kube/metrics.ts'
import { measuring } from '../../src/process/measuring.ts'
import { metricsOf } from '../../src/process/metrics.ts'
import { WORKER_PREFIX } from '../../src/process/reconciling.ts'
import { workerMetrics } from '../../src/reconcile/metrics.ts'
import { Meter, processMetrics } from '../../src/telemetry/metrics.ts'
import { families } from '../../webhooks/index.ts'
import { readersOf } from '../support/fakes/readers.ts'

const reviews = metricsOf().registry
const worker = new Meter(WORKER_PREFIX)
for (const metrics of [processMetrics, kubeMetrics, workerMetrics]) metrics(worker)

/** Those of all families, on one registry. */
const ofFamilies = new Meter('')
measuring({ families, meter: ofFamilies, cached: readersOf().cached }, new AsyncDisposableStack())([])

/** The rows of the page for each process, in the words that a scrape shows. */
const TABLES = [reviews, worker.registry, ofFamilies.registry].map((registry) =>
  registry.getMetricsAsArray().map(rowOf),
)
const ROWS = TABLES.flat()

describe('the metrics of docs/operations.md', () => {
  it('are those of the registries, with the same labels and help, one row each', () => {
    const page = readFileSync('docs/operations.md', 'utf8')
    const tables = [...page.matchAll(/^\| name \| labels \| \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/gm)]
    expect(tables.map(([, table = '']) => table.trimEnd().split('\n').sort())).toEqual(
      TABLES.map((rows) => [...rows].sort()),
    )
  })

  it.each(['README.md', 'CHANGELOG.md', ...globSync('docs/*.md')])('%s names no other', (page) => {
    const named =
      readFileSync(page, 'utf8').match(/\b(?:tars_(?:admission|worker)|daemonset_patches)_\w*[a-z]\b/g) ?? []
    const known = ROWS.map((row) => row.split('`')[1])
    expect(
      named.map((name) => name.replace(/_(?:count|sum|bucket)$/, '')).filter((name) => !known.includes(name)),
    ).toEqual([])
  })
})

function rowOf(metric: { readonly name: string; readonly help: string }): string {
  return `| \`${metric.name}\` | ${labelsOf(metric)} | ${metric.help} |`.replace('|  |', '| |')
}
function labelsOf(metric: object): string {
  const names: unknown = 'labelNames' in metric ? metric.labelNames : []
  return Array.isArray(names) ? names.map((name) => `\`${name}\``).join(', ') : ''
}
