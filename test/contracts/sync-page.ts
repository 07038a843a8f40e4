import { SYNC_PREFIX, syncMetrics } from '../../src/sync/metrics.ts'
import { variableOf } from '../../src/sync/options/environment.ts'
import type { Option } from '../../src/sync/options/option.ts'
import { ALL, OPTIONS } from '../../src/sync/options/options.ts'
import { Meter } from '../../src/telemetry/metrics.ts'

/** The rows of docs/sync.md for all options that are supported. */
export const optionRows = (): readonly string[] => ALL.filter(({ not }) => not === undefined).map(optionRow)

function optionRow(option: Option<unknown>): string {
  const { flag, key, doc, usual, kind } = option
  const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``)
  const variable = option === OPTIONS.version ? undefined : variableOf(option)
  const shown = kind.word === 'DURATION' ? `${usual}ms` : String(usual)
  const isSaid = kind.word !== '' && shown !== ''
  const cells = [code(flag && `-${flag}`), code(key), code(variable), isSaid ? code(shown) : '', doc]
  return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
}

export function metricRows(): readonly string[] {
  const meter = new Meter(SYNC_PREFIX)
  syncMetrics(meter)
  return meter.registry.getMetricsAsArray().map((metric) => {
    const labels: unknown = 'labelNames' in metric ? metric.labelNames : []
    const named = Array.isArray(labels) ? labels.map((name) => `\`${name}\``).join(', ') : ''
    return `| \`${metric.name}\` | ${named} | ${metric.help} |`
  })
}
