import type { ClusterReader, KubeObject } from '../../kit/schema.ts'
import { before } from '../template/before.ts'
import { type Flaw, judged, type PatchResult } from '../template/flaws.ts'
import { type Case, type CaseEntry, caseOf, type DaemonSetWrite } from './case.ts'
import { nodeLabels } from './nodes.ts'
import { mergeable, type PatchSample, samplesOf } from './samples.ts'

export interface ResultFinding extends Flaw {
  readonly effect?: 'warn'
}
export interface PatchedSample extends PatchSample, PatchResult {}
export interface Results {
  readonly samples: readonly PatchedSample[]
  readonly findings: readonly ResultFinding[]
}

const asked = new WeakMap<KubeObject, Promise<Results>>()

/** Judged once for all rules of a review. */
export function resultsOf(given: DaemonSetWrite, cluster: ClusterReader): Promise<Results> {
  const known = asked.get(given.next) ?? judge(caseOf(given), cluster)
  asked.set(given.next, known)
  return known
}

async function judge(seen: Case, cluster: ClusterReader): Promise<Results> {
  const { size } = before(seen.template)
  const samples = samplesOf(mergeable(seen), await nodeLabels(cluster), size).map((sample) => ({
    ...sample,
    ...judged(seen, sample.entries),
  }))
  const found = new Map<string, ResultFinding>()
  for (const sample of samples) {
    if (sample.flaws.length === 0) continue
    const effect = effectOf(sample, seen)
    for (const flaw of sample.flaws) {
      const key = keyOf(flaw)
      if (!found.has(key)) found.set(key, { ...flaw, ...effect(flaw) })
    }
  }
  return { samples, findings: [...seen.entries.flatMap(inertIn), ...found.values()] }
}

/** Directives without effect, whatever the template. */
function inertIn({ index, document, carried }: CaseEntry): readonly ResultFinding[] {
  const inert = document.filter(({ id }) => id === 'PATCH-V-14')
  return inert.map(({ path, text }) => ({ id: 'PATCH-V-14', index, path, text, ...(carried && { effect: 'warn' }) }))
}

const keyOf = ({ id, index, path, text }: Flaw) => JSON.stringify([id, index, path, text])
type Severity = Pick<ResultFinding, 'effect'>

/**
 * Entries that never meet are no error. What the same entries brought to the old template is none either (PATCH-RAT-3);
 * a new template that an old patch breaks is.
 */
function effectOf(sample: PatchSample, seen: Case): (flaw: Flaw) => Severity {
  const warning = { effect: 'warn' } as const
  if (sample.of === 'all') return () => warning
  if (seen.before === undefined || !isCarried(sample, seen)) return () => ({})
  const stood = new Set(judged(seen.before, sample.entries).flaws.map(keyOf))
  return (flaw) => (stood.has(keyOf(flaw)) ? warning : {})
}

export function isCarried({ entries }: PatchSample, { entries: all }: Case): boolean {
  return entries.every(({ index }) => all.find((entry) => entry.index === index)?.carried)
}
