import type { Readers } from '../cluster/port.ts'
import type { Kind } from '../kind.ts'
import type { Raw } from './change.ts'
import { editedBefore } from './mutating.ts'
import { type Remotes, toldBy } from './mutation.ts'
import { isTerminatingIn } from './namespace.ts'
import { overruled } from './overruled.ts'
import { type Enforce, NOTHING_TO_SAY, type Verdict } from './verdict.ts'

/** Each kind sees the object as the kinds before it edited it, and all edits form one JSON patch. */
export async function mutateBy(kinds: readonly Kind[], raw: Raw, readers: Readers, remotes: Remotes): Promise<Verdict> {
  const edited = editedBefore(raw)
  const verdicts: Verdict[] = []
  for (const kind of kinds) verdicts.push(await kind.mutate(raw, readers, { ...remotes, edited }))
  const verdict = together(verdicts)
  const { overrulings } = edited.patch
  if (overrulings === undefined) return verdict
  const schemas = kinds.map(({ resource }) => resource.schema)
  return { ...verdict, overruled: overruled(overrulings, schemas, raw) }
}

/** If one kind refuses, no kind has consequences; under warn all of them count (UX-3). */
export async function validateBy(
  kinds: readonly Kind[],
  raw: Raw,
  readers: Readers,
  enforce: Enforce,
): Promise<Verdict> {
  const context = { isNamespaceTerminating: isTerminatingIn(readers.live, raw.namespace) }
  const judgements = await Promise.all(kinds.map((kind) => kind.validate(raw, readers, context)))
  const verdict = together(judgements.map(({ follow: _, ...own }) => own))
  if (!isLetIn(verdict, enforce)) return verdict
  const withConsequences = together(await Promise.all(judgements.map((judgement) => judgement.follow?.() ?? judgement)))
  return isLetIn(withConsequences, enforce) ? withConsequences : { ...withConsequences, intents: [] }
}

const isLetIn = ({ violations, unanswered }: Verdict, enforce: Enforce) =>
  enforce === 'warn' || (violations.length === 0 && unanswered === undefined)

/** Each patch contains the edits of the kinds before, so the last one is complete. Duplicate warnings are dropped. */
function together(verdicts: readonly Verdict[]): Verdict {
  const [one = NOTHING_TO_SAY, ...others] = verdicts
  return others.reduce(both, one)
}

function both(one: Verdict, other: Verdict): Verdict {
  return {
    ...one,
    ...other,
    violations: [...one.violations, ...other.violations],
    warnings: [...new Set([...one.warnings, ...other.warnings])],
    intents: [...one.intents, ...other.intents],
    ...(one.audit && { audit: { ...one.audit, ...other.audit } }),
    ...(one.unanswered && { unanswered: one.unanswered }),
    ...(one.unfit && { unfit: one.unfit }),
    ...toldBy([one, other]),
  }
}
