import type { Built } from '../cluster/port.ts'

/**
 * What `check` sends to see that the webhooks answer, in any namespace and whatever it holds: neither answer needs a
 * look-up.
 */
export interface Probe {
  readonly completed: {
    /** The mutation that does so. */
    readonly by: string
    readonly object: object
    readonly isDone: (object: Built) => boolean
  }
  readonly refused: { readonly by: string; readonly object: object }
}
