import type { Cause, Status } from '../../../src/kube/status.ts'
import type { Finding, Findings } from '../../kit/admission.ts'
import { type ClusterReader, Fault, type Gvr, Refused, type Tree } from '../../kit/schema.ts'
import { DEEP_VALIDATION } from '../settings.ts'
import { judged, placeAmong } from '../template/flaws.ts'
import type { TemplatePath } from '../template/problem.ts'
import { type Case, caseOf, type DaemonSetWrite } from './case.ts'
import { isCarried, type PatchedSample, resultsOf } from './results.ts'

export const PODTEMPLATE: Gvr = {
  group: '',
  version: 'v1',
  plural: 'podtemplates',
  kind: 'PodTemplate',
  scope: 'Namespaced',
}
const MOST_ON_NODES = 8

/** PATCH-V-20. Only results that are sound so far, since the author knows about the others. All at once: 2 s for a dry run. */
export async function deepFindings(given: DaemonSetWrite, cluster: ClusterReader): Promise<Findings> {
  if (!given.settings.get(DEEP_VALIDATION)) return []
  const seen = caseOf(given)
  const asking = { seen, dryRun: dryRunOf(given, cluster) }
  const sound = (await resultsOf(given, cluster)).samples.filter(isSound)
  const first = chosen(sound)
  const found = await askedOfAll(first, asking)
  const isPassed = found.length === 0 && sound.some(({ of }) => of === 'all')
  const isSilent = found.some(({ path }) => path === seen.list.at)
  const more = isPassed || isSilent ? [] : await askedOfAll(unmet(sound, first), asking)
  return distinct([...more, ...found])
}

async function askedOfAll(samples: readonly PatchedSample[], asking: DeepAsking): Promise<Findings> {
  return (await Promise.all(samples.map((each) => askedOf(each, asking)))).flat()
}

function distinct(findings: Findings): Findings {
  const firsts = new Map(findings.toReversed().map((finding) => [`${finding.path} ${finding.value}`, finding]))
  return [...firsts.values()].reverse()
}

const isSound = ({ result, flaws }: PatchedSample) => result !== undefined && flaws.length === 0

/** The sets on Nodes go first: what is found of them is no warning. */
function chosen(sound: readonly PatchedSample[]): readonly PatchedSample[] {
  const onNodes = sound.filter(({ of }) => of === 'node').slice(0, MOST_ON_NODES)
  const sets = new Set(onNodes.map(setOf))
  return [...onNodes, ...sound.filter((each) => each.of === 'all' && !sets.has(setOf(each)))]
}

/**
 * Entries that were asked of with all others alone: what these violate together warns, and what one of them violates by
 * itself is refused (4.4 of the specification).
 */
function unmet(sound: readonly PatchedSample[], asked: readonly PatchedSample[]): readonly PatchedSample[] {
  const met = new Set(asked.flatMap(({ of, entries }) => (of === 'node' ? entries.map(({ index }) => index) : [])))
  const isAlone = asked.some(({ of, entries }) => of === 'all' && entries.length === 1)
  return isAlone ? [] : sound.filter(({ of, entries: [one] }) => of === 'entry' && one && !met.has(one.index))
}
const setOf = ({ entries }: PatchedSample) => entries.map(({ index }) => index).join()

interface DeepAsking {
  readonly seen: Case
  readonly dryRun: (template: Tree) => Promise<Status | string | undefined>
}

/** What the API server says of a template: a refusal, or why it says nothing. */
function dryRunOf({ namespace, uid }: DaemonSetWrite, cluster: ClusterReader): DeepAsking['dryRun'] {
  const head = { apiVersion: 'v1', kind: 'PodTemplate', metadata: { namespace, name: `daemonset-patches-${uid}` } }
  return async (template) => {
    try {
      await cluster.dryRun(PODTEMPLATE, { ...head, template }, 'create')
      return undefined
    } catch (cause) {
      if (cause instanceof Refused) return isOfContent(cause.status) ? cause.status : `it answers ${cause.status.code}`
      if (cause instanceof Fault) return 'it does not answer'
      throw cause
    }
  }
}
const isOfContent = ({ code }: Status) => code === 422 || code === 400

async function askedOf(sample: PatchedSample, { seen, dryRun }: DeepAsking): Promise<Findings> {
  const { result = {}, entries } = sample
  const answer = await dryRun(result)
  if (answer === undefined) return []
  const warning = { effect: 'warn' } as const
  if (typeof answer === 'string') {
    return [{ path: seen.list.at, value: `not checked by the API server: ${answer}`, ...warning }]
  }
  const found = causesIn(answer).map(({ field, message }): Finding => {
    const { index, path } = placeAmong(entries, stepsIn(field), result)
    return { path: `${seen.list.at}[${index}].patch${path}`, value: message }
  })
  if (sample.of === 'all' && entries.length > 1) return found.map((each) => ({ ...each, ...warning }))
  return stoodBefore(sample, found, { seen, dryRun })
}

/** The API server words it for its own object, a PodTemplate. */
function causesIn({ message, details }: Status): readonly Pick<Cause, 'field' | 'message'>[] {
  const causes = details?.causes ?? []
  return causes.length > 0 ? causes : [{ field: '', message }]
}

const STEP = /\[([^\]]*)\]|([^.[\]]+)/g
/** `template.spec.containers[0].image` without its first step. */
function stepsIn(field: string): TemplatePath {
  const steps = [...field.matchAll(STEP)].map(([, inBrackets, plain = '']) => inBrackets ?? plain)
  return steps.slice(1).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

/** PATCH-RAT-3: what the API server says of the old result too warns. */
async function stoodBefore(sample: PatchedSample, found: Findings, { seen, dryRun }: DeepAsking): Promise<Findings> {
  if (seen.before === undefined || !isCarried(sample, seen)) return found
  const { result } = judged(seen.before, sample.entries)
  const answer = result && (await dryRun(result))
  if (answer === undefined || typeof answer === 'string') return found
  const stood = new Set(causesIn(answer).map(({ message }) => message))
  return found.map((each) => (stood.has(`${each.value}`) ? { ...each, effect: 'warn' } : each))
}
