import type { Built } from '../cluster/port.ts'

/**
 * The objects that `check` sends to see that the webhooks answer, in any namespace: neither answer depends on a look-up.
 */
export interface Probe {
  readonly completed: {
    /** The id of the mutation that completes it. */
    readonly by: string
    readonly object: object
    readonly isDone: (object: Built) => boolean
  }
  readonly refused: { readonly by: string; readonly object: object }
}
