/** How a pass of one resource ends. */
export type Outcome =
  | { readonly did: 'nothing' }
  /** Noop. */
  | { readonly did: 'would change' }
  | { readonly did: 'swapped'; readonly how: Swap }
  /** There was no pass: the store could not be read, and only the reload that was owed ran. */
  | { readonly did: 'unread' }
  /** This process ends; the target is as before. */
  | { readonly did: 'stopped' }
  | Failed

/** `unsynced`: it is there, and what makes it survive a crash has failed. */
export type Swap = 'at once' | 'in place' | 'unsynced'

export interface Failed {
  readonly did: 'failed'
  readonly at: Step
  /** What is wrong, where, and the remedy; never a value. */
  readonly why: string
  /** What a command wrote, without values. */
  readonly output?: string
  /** Trying again soon may help, or nothing but a change does. */
  readonly cure: 'time' | 'change'
}
export type Step = 'read' | 'render' | 'check' | 'commit'

export const failed = (at: Step, why: string, cure: Failed['cure'] = 'change'): Failed => ({
  did: 'failed',
  at,
  why,
  cure,
})
