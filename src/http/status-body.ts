import type { Status } from '../kube/status.ts'

/** metav1.Status, the form in which the API server expects whatever is not an answered review. */
export function statusBody(status: Status): string {
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status })
}
