import type { Status } from '../kube/status.ts'

/** The API server expects a metav1.Status wherever a request gets no review response. */
export function statusBody(status: Status): string {
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status })
}
