/** Whether this process is the one that writes. */
export interface Leadership {
  /** The holder that it stands for in the Lease. */
  readonly identity: string
  /** The fence, asked before each write (WR-2): true only while no other process can lead. */
  mayWrite(): boolean
  /** Tells at once, and then after each change. */
  onChange(tell: (leads: boolean) => void): void
}

/** Without an election (`--leader-elect=false`): the operator sees to it that one process runs. */
export const ALWAYS: Leadership = {
  identity: '',
  mayWrite: () => true,
  onChange: (tell) => tell(true),
}
