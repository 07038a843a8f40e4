import type { Intent } from './admission/consequence.ts'
import type { Deadline } from './admission/deadline.ts'
import type { ClusterReader, ClusterWriter } from './cluster/port.ts'
import { Fault } from './faults.ts'

export interface Errand {
  readonly live: ClusterReader
  readonly deadline: Deadline
}
/** Before the answer goes out. What fails is a fault that is worth another try. */
export type CarryOut = (intents: readonly Intent[], errand: Errand) => Promise<void>

const AT_ONCE = 8

/** Idempotent: a review that comes again sets the marks that are still missing (TC-S3). */
export function carryOutWith(writer: Pick<ClusterWriter, 'merge'>): CarryOut {
  return async (intents, errand) => {
    const waiting = [...intents]
    const hand = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await mark(next, writer, errand)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, hand))
  }
}

/** Who wrote meanwhile has decided anew, so we do: once. What is gone needs no mark. */
async function mark(
  intent: Intent,
  writer: Pick<ClusterWriter, 'merge'>,
  errand: Errand,
  isLast = false,
): Promise<void> {
  const { of, ref, patch, again } = intent
  if (errand.deadline.left() <= 0) throw unmarked(intent, 'the time is up')
  try {
    await writer.merge(of, ref, patch, { timeoutMs: errand.deadline.left() })
  } catch (cause) {
    if (cause instanceof Fault && cause.code === 'GONE') return
    if (!(cause instanceof Fault && cause.code === 'CONFLICT') || isLast) throw unmarked(intent, saying(cause), cause)
    const anew = await again(errand.live)
    if (anew !== undefined) await mark(anew, writer, errand, true)
  }
}

function unmarked({ of, ref }: Intent, why: string, cause?: unknown): Fault {
  return new Fault('CLUSTER_UNREACHABLE', `cannot mark ${of.kind} ${ref.name}: ${why}`, { cause })
}

/** Of an answer of the API server its code: its words may tell what we may do and what not. */
function saying(cause: unknown): string {
  return cause instanceof Fault ? cause.message : 'the API server does not take it'
}
