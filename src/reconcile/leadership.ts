import { Fault } from '../faults.ts'

/** Whether this process is the one that writes. */
export interface Leadership {
  /** The holder that it stands for in the Lease. */
  readonly identity: string
  /** The fence, asked before each write (WR-2): true only while no other process can lead. */
  mayWrite(): boolean
  /** Aborts when this process stops leading; the next time that it leads has another signal. */
  readonly term: AbortSignal
  /** Tells at once, and then after each change. */
  onChange(tell: (leads: boolean) => void): void
}

/** Without an election (`--leader-elect=false`): the operator sees to it that one process runs. */
export const ALWAYS: Leadership = {
  identity: '',
  mayWrite: () => true,
  term: new AbortController().signal,
  onChange: (tell) => tell(true),
}

export function notLeading(): Fault {
  return new Fault('NOT_LEADING', 'this process does not lead any more')
}
