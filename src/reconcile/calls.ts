import type { Fence, FencedOptions } from '../cluster/fence.ts'
import { type ClusterReader, type ClusterWriter, type Gvr, type Ref, Refused } from '../cluster/port.ts'
import { refOf } from '../cluster/stored.ts'
import { Fault } from '../faults.ts'
import type { Clock } from '../timing/clock.ts'
import { ABSENT } from './apply.ts'
import { type Leadership, notLeading } from './leadership.ts'
import { TerminatingNamespaces } from './terminating-namespaces.ts'
import type { WriteBudget } from './write-budget.ts'

export interface WriteCall {
  readonly verb: keyof ClusterWriter
  readonly of: Gvr
  readonly ref: Ref
  /** The object must not exist yet. */
  readonly isCreation?: boolean
}
type Through = <A>(call: WriteCall, write: (more?: FencedOptions) => Promise<A>) => Promise<A>

/** A writer each of whose writes goes through a function. */
function writerThrough(writer: ClusterWriter, through: Through): ClusterWriter {
  return {
    create: (of, object, options) =>
      through({ verb: 'create', of, ref: refOf(object), isCreation: true }, (more) =>
        writer.create(of, object, { ...options, ...more }),
      ),
    replace: (of, object, options) =>
      through({ verb: 'replace', of, ref: refOf(object) }, (more) =>
        writer.replace(of, object, { ...options, ...more }),
      ),
    patch: (of, ref, operations, options) =>
      through({ verb: 'patch', of, ref }, (more) => writer.patch(of, ref, operations, { ...options, ...more })),
    apply: (of, object, options) =>
      through(
        { verb: 'apply', of, ref: refOf(object), isCreation: object.metadata.resourceVersion === ABSENT },
        (more) => writer.apply(of, object, { ...options, ...more }),
      ),
    merge: (of, ref, patch, options) =>
      through({ verb: 'merge', of, ref }, (more) => writer.merge(of, ref, patch, { ...options, ...more })),
    remove: (of, ref, options) =>
      through({ verb: 'remove', of, ref }, (more) => writer.remove(of, ref, { ...options, ...more })),
  }
}

/** Counts a call by the code of its answer. */
export type CountCall = (verb: string, of: Gvr, code: string) => void

export interface WriteGuard {
  readonly budget: WriteBudget
  readonly leadership: Pick<Leadership, 'mayWrite' | 'term'>
  readonly count: CountCall
  readonly clock: Clock
}

/**
 * Writes within the budget, and only while it leads: the fence is asked after the wait, and goes along (WR-2). Creates
 * nothing in a namespace that is known to be terminating (WK-11).
 */
export function guardedWriter(writer: ClusterWriter, { budget, leadership, count, clock }: WriteGuard): ClusterWriter {
  const terminating = new TerminatingNamespaces(clock)
  return writerThrough(writer, async (call, write) => {
    const end = await budget.take()
    const fenced = () => {
      const fence = fenceOf(leadership)
      fence.check()
      return write({ fence })
    }
    const sent = () => countedWrite(call, fenced, count)
    try {
      return await (call.isCreation ? terminating.creating(call.ref.namespace, sent) : sent())
    } finally {
      end()
    }
  })
}

async function countedWrite<A>({ verb, of }: WriteCall, write: () => Promise<A>, count: CountCall): Promise<A> {
  try {
    const answer = await write()
    count(verb, of, verb === 'create' ? '201' : '200')
    return answer
  } catch (cause) {
    count(verb, of, codeOf(cause))
    throw cause
  }
}

/** Closed with this term for good: what was planned in it is not written in the next one. */
function fenceOf(leadership: WriteGuard['leadership']): Fence {
  const check = () => {
    if (!leadership.mayWrite()) throw notLeading()
  }
  return { closed: leadership.term, check }
}

/** Notes what was written, with the answer; that of a removal has none. */
export function notingWriter(writer: ClusterWriter, note: (call: WriteCall, answer: unknown) => void): ClusterWriter {
  return writerThrough(writer, async (call, write) => {
    const answer = await write()
    note(call, answer)
    return answer
  })
}

export function countedReader(reader: ClusterReader, count: CountCall): ClusterReader {
  const counted = async <A>(verb: string, of: Gvr, read: Promise<A>): Promise<A> => {
    try {
      const found = await read
      count(verb, of, found === undefined ? '404' : '200')
      return found
    } catch (cause) {
      count(verb, of, codeOf(cause))
      throw cause
    }
  }
  return {
    get: (of, ref) => counted('get', of, reader.get(of, ref)),
    list: (of, where) => counted('list', of, reader.list(of, where)),
    dryRun: (of, object, by, manager) => counted(`dry-run ${by}`, of, reader.dryRun(of, object, by, manager)),
  }
}

/** The code of the API server, or the word of the fault where it did not answer. */
function codeOf(cause: unknown): string {
  if (cause instanceof Refused) return String(cause.status.code)
  if (!(cause instanceof Fault)) return 'ERROR'
  return cause.cause instanceof Refused ? codeOf(cause.cause) : cause.code
}
