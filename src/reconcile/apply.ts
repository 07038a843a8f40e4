import type { Due, Intent } from '../admission/consequence.ts'
import type { Deadline } from '../admission/deadline.ts'
import type { ClusterReader, ClusterWriter } from '../cluster/port.ts'
import { Fault } from '../faults.ts'

export interface ApplyContext {
  readonly live: ClusterReader
  readonly deadline: Deadline
}
/** Before the answer goes out. What fails is a fault that is worth another try. */
export type CarryOut = (intents: readonly Due[], errand: ApplyContext) => Promise<void>

/** `gone`: there is no such object any more. `needless`: somebody else wrote it, and by now no mark is called for. */
type MarkOutcome = 'set' | 'gone' | 'needless' | 'conflict' | 'failed'
/** Of one mark. Few values each: a kind, a rule, a fate. */
export interface Counted {
  readonly kind: string
  readonly rule: string
  readonly outcome: MarkOutcome
}
type CountMark = (mark: Counted) => void

type Writer = Pick<ClusterWriter, 'merge'>

const AT_ONCE = 8

/**
 * Idempotent: a review that comes again sets the marks that are still missing (TC-S3). After the first one that fails
 * none is begun, and those under way are waited for, so that nothing is written behind the answer.
 */
export function carryOutWith(writer: Writer, count: CountMark = () => undefined): CarryOut {
  return async (intents, errand) => {
    const waiting = [...intents]
    let failed: Fault | undefined
    const hand = async () => {
      for (let next = waiting.shift(); next !== undefined && !failed; next = waiting.shift())
        await counted(next, mark(next, writer, errand), count).catch((cause) => {
          failed ??= cause
        })
    }
    await Promise.all(Array.from({ length: AT_ONCE }, hand))
    if (failed !== undefined) throw failed
  }
}

async function counted(intent: Due, marked: Promise<MarkOutcome>, count: CountMark): Promise<void> {
  const { of, rule } = intent
  const outcome = await marked.catch((cause) => {
    count({ kind: of.kind, rule, outcome: 'failed' })
    throw cause
  })
  count({ kind: of.kind, rule, outcome })
  if (outcome === 'conflict') throw unmarked(intent, new Fault('CONFLICT', 'somebody else keeps writing it'))
}

/** Who wrote meanwhile has decided anew, so we do: once. What is gone needs no mark. */
async function mark(intent: Intent, writer: Writer, errand: ApplyContext): Promise<MarkOutcome> {
  const first = await written(intent, writer, errand)
  if (first !== 'conflict') return first
  const anew = await intent.again(errand.live).catch((cause) => {
    throw unmarked(intent, cause)
  })
  return anew === undefined ? 'needless' : written(anew, writer, errand)
}

async function written(intent: Intent, writer: Writer, { deadline }: ApplyContext): Promise<MarkOutcome> {
  const { of, ref, patch } = intent
  const timeoutMs = deadline.left()
  if (timeoutMs <= 0) throw unmarked(intent, new Fault('DEADLINE', 'the time is up'))
  try {
    await writer.merge(of, ref, patch, { timeoutMs, metadataOnly: true }) // there may be megabytes of it
    return 'set'
  } catch (cause) {
    const code = cause instanceof Fault ? cause.code : undefined
    if (code === 'GONE') return 'gone'
    if (code === 'CONFLICT') return 'conflict'
    throw unmarked(intent, cause)
  }
}

/** Of an answer of the API server its code alone: its words may tell what we may do and what not. */
function unmarked({ ref }: Intent, cause: unknown): Fault {
  const why = cause instanceof Fault ? cause.message : 'the API server does not take it'
  return new Fault('CLUSTER_UNREACHABLE', `cannot mark ${ref.name}: ${why}`, { cause })
}
