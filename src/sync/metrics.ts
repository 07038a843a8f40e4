import { type Meter, SECONDS } from '../telemetry/metrics.ts'

export const SYNC_PREFIX = 'tars_sync_'

export type SyncMetrics = ReturnType<typeof syncMetrics>

/** A resource is named by its file below conf.d: as many as the operator lays there. */
export const syncMetrics = (meter: Meter) => ({
  up: meter.gauge('resource_up', ['resource'], '1 if the last pass of the resource succeeded.'),
  lastSuccess: meter.gauge(
    'resource_last_success_timestamp_seconds',
    ['resource'],
    'When a pass of the resource succeeded last.',
  ),
  renders: meter.counter(
    'renders_total',
    ['resource', 'result'],
    'Passes: unchanged, updated, error_read, error_render, error_check or error_commit.',
  ),
  reloads: meter.counter('reloads_total', ['resource', 'result'], 'Reloads: ok or error.'),
  reloadPending: meter.gauge('reload_pending', ['resource'], '1 while a target is new and its reload has not worked.'),
  emptied: meter.counter('emptied_total', ['resource'], 'Times that a resource lost all its values at once.'),
  watchConnected: meter.gauge('watch_connected', ['source'], '1 while changes of the store are heard of.'),
  watchReconnects: meter.counter('watch_reconnects_total', ['source'], 'Watches that ended and were begun again.'),
  sourceRevision: meter.gauge('source_revision', ['source'], 'Revision of the store at the last read.'),
  commandSeconds: meter.histogram('command_duration_seconds', ['resource', 'command'], 'Time of a check or reload.', [
    ...SECONDS,
    30,
    60,
  ]),
})
