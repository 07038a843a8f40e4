export type { Aside } from '../../src/admission/mutation.ts'
export type { Metric, Sample } from '../../src/metric.ts'
export { EVENT, type NoticeAbout } from '../../src/reconcile/action.ts'
