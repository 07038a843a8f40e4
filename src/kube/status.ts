/** The part of metav1.Status that this code reads or writes. */
export interface Status {
  readonly status?: 'Failure'
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details?: {
    readonly group?: string
    readonly kind?: string
    readonly name?: string
    readonly causes?: readonly Cause[]
    readonly retryAfterSeconds?: number
  }
}
export interface Cause {
  readonly reason: string
  readonly message: string
  readonly field: string
}
