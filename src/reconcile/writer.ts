import { type Built, type ClusterWriter, type Gvr, type Ref, Refused } from '../cluster/port.ts'
import { refOf } from '../cluster/stored.ts'
import { Fault } from '../faults.ts'
import type { Leadership } from './leadership.ts'
import type { WriteBudget } from './write-budget.ts'

export interface WriteCall {
  readonly verb: keyof ClusterWriter
  readonly of: Gvr
  readonly ref: Ref
}
type Through = <A>(call: WriteCall, write: () => Promise<A>) => Promise<A>

/** A writer each of whose writes goes through a function. */
function writerThrough(writer: ClusterWriter, through: Through): ClusterWriter {
  return {
    create: (of, object) => through({ verb: 'create', of, ref: refOf(object) }, () => writer.create(of, object)),
    replace: (of, object) => through({ verb: 'replace', of, ref: refOf(object) }, () => writer.replace(of, object)),
    patch: (of, ref, ...rest) => through({ verb: 'patch', of, ref }, () => writer.patch(of, ref, ...rest)),
    apply: (of, object, options) =>
      through({ verb: 'apply', of, ref: refOf(object) }, () => writer.apply(of, object, options)),
    merge: (of, ref, ...rest) => through({ verb: 'merge', of, ref }, () => writer.merge(of, ref, ...rest)),
    remove: (of, ref, options) => through({ verb: 'remove', of, ref }, () => writer.remove(of, ref, options)),
  }
}

export interface WriteGuard {
  readonly budget: WriteBudget
  readonly leadership: Pick<Leadership, 'mayWrite'>
  readonly count: (call: WriteCall, code: string) => void
}

/** Writes within the budget, and only while it leads: the fence is asked after the wait (WR-2). */
export function guardedWriter(writer: ClusterWriter, { budget, leadership, count }: WriteGuard): ClusterWriter {
  return writerThrough(writer, async (call, write) => {
    const end = await budget.take()
    try {
      if (!leadership.mayWrite()) throw new Fault('NOT_LEADING', 'this process does not lead any more')
      const answer = await write()
      count(call, call.verb === 'create' ? '201' : '200')
      return answer
    } catch (cause) {
      count(call, codeOf(cause))
      throw cause
    } finally {
      end()
    }
  })
}

/** Notes what was written, with the answer; that of a removal has none. */
export function notingWriter(writer: ClusterWriter, note: (call: WriteCall, answer: unknown) => void): ClusterWriter {
  return writerThrough(writer, async (call, write) => {
    const answer = await write()
    note(call, answer)
    return answer
  })
}

export interface Written {
  readonly call: WriteCall
  readonly answer: Built | undefined
}

/** The code of the API server, or the word of the fault where it did not answer. */
export function codeOf(cause: unknown): string {
  const refused = refusedIn(cause)
  if (refused !== undefined) return String(refused.status.code)
  return cause instanceof Fault ? cause.code : 'ERROR'
}

export function refusedIn(cause: unknown): Refused | undefined {
  if (cause instanceof Refused) return cause
  return cause instanceof Fault && cause.cause instanceof Refused ? cause.cause : undefined
}
