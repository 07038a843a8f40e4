import { certMetrics } from '../../certs/metrics.ts'
import { kubeMetrics } from '../cluster/kube/metrics.ts'
import { controllerRuntimeMetrics, InFlight, intakeMetrics, reviewMetrics } from '../http/metrics.ts'
import { markMetrics } from '../reconcile/metrics.ts'
import { passwordMetrics } from '../remote/passwords/metrics.ts'
import { Meter, processMetrics } from '../telemetry/metrics.ts'

export const PREFIX = 'tars_admission_'

export type Metrics = ReturnType<typeof metricsOf>

/** What a process that serves reviews measures, each part what is its own. */
export function metricsOf(meter = new Meter(PREFIX), ofProcess = processMetrics(meter)) {
  const inFlight = new InFlight()
  return {
    registry: meter.registry,
    ...ofProcess,
    ...reviewMetrics(meter, inFlight),
    ...intakeMetrics(meter),
    ...passwordMetrics(meter),
    ...markMetrics(meter),
    ...certMetrics(meter),
    ...kubeMetrics(meter),
    controllerRuntime: controllerRuntimeMetrics(meter.under('controller_runtime_webhook_'), inFlight),
  }
}
