import { ask, type Rule } from '../../kit/admission.ts'
import { NOTHING_KNOWN } from '../../kit/controller.ts'
import type { ClusterReader, KubeObject, Settings } from '../../kit/schema.ts'
import { annotated } from '../rules.ts'
import type { RemoteTable } from './table.ts'

interface AroundProblem {
  readonly live: ClusterReader
  readonly settings: Settings
}
type ProblemParts<T extends KubeObject, A> = Pick<RemoteTable<T, A>, 'rules' | 'notBuilt'>

/** What admission would refuse of an object: it may have been written while the webhook was away. */
export async function problemIn<T extends KubeObject, A>(
  object: T,
  { rules, notBuilt }: ProblemParts<T, A>,
  around: AroundProblem,
): Promise<string | undefined> {
  const found = await Promise.all([...rules, annotated<T>()].map((rule) => wordsOf(rule, object, around)))
  const fields = notBuilt?.(object) ?? []
  const kept = fields.map((field) => `${field} is kept, and not carried out by this version; leave it out`)
  const all = [...found.flat(), ...kept]
  return all.length === 0 ? undefined : all.join('; ')
}

async function wordsOf<T extends KubeObject>(
  rule: Rule<T>,
  next: T,
  { live, settings }: AroundProblem,
): Promise<readonly string[]> {
  const { namespace = '' } = next.metadata
  const user = { name: '', among: [] }
  const asked = { uid: '', user, namespace, dryRun: true, at: new Date(0), settings, facts: NOTHING_KNOWN }
  const findings = await ask(rule, { ...asked, profile: 'seed', operation: 'CREATE', next }, live)
  return findings.map((finding) => `${finding.path} ${rule.message(finding)} (${rule.id})`)
}
