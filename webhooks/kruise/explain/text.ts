import { someOf } from '../../kit/admission.ts'
import {
  type ExplainedPod,
  type Explanation,
  type LabelGroup,
  type Limit,
  type Overlap,
  POD_STATES,
  type TemplateChange,
} from './explanation.ts'
import { plain } from './plain.ts'

/** For a terminal: text of objects cannot steer it. */
export function asText(explanations: readonly Explanation[]): string {
  return explanations
    .map(
      (each) =>
        `${linesOf(each)
          .map((line) => plain(line))
          .join('\n')}\n`,
    )
    .join('\n')
}

function linesOf({
  daemonSet,
  carrier,
  unreadable,
  patches,
  groups,
  overlaps,
  limits,
}: Explanation): readonly string[] {
  const problem =
    unreadable === undefined ? [] : [`the list is left out, and pods start as the template says: ${unreadable}`]
  const notes = [
    ...overlaps.map((overlap) => `overlap: ${overlapWords(overlap)}`),
    ...limits.filter(({ state }) => state !== 'far').map((limit) => `limit: ${limitWords(limit)}`),
  ]
  return [
    `${daemonSet} (${carrier})`,
    ...problem,
    ...patches.map(
      ({ index, selector, priority, nodes }) =>
        `  patch ${index}: ${selector}; priority ${priority}; ${counted(nodes, 'Node')}`,
    ),
    ...groups.flatMap(groupLines),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ]
}

export const counted = (count: number, noun: string, several = `${noun}s`) => `${count} ${count === 1 ? noun : several}`

function groupLines(group: LabelGroup, at: number): readonly string[] {
  const { labels, nodes, applied, stamp, problem, changes, pods } = group
  return [
    '',
    `group ${at + 1}, ${appliedWords(applied)}: ${counted(nodes.length, 'Node')} (${someOf(nodes)})`,
    `  labels: ${labels
      .map((each) => each || 'any')
      .slice(0, 5)
      .join(' or ')}`,
    ...(stamp === undefined ? [] : [`  stamp: component ${stamp.component}, template ${stamp.templateHash}`]),
    ...(problem === undefined ? [] : [`  cannot be merged, so pods are refused: ${problem}`]),
    ...changes.flatMap(changeLines),
    ...(pods.length === 0 ? [] : [`  pods: ${tally(pods)}`]),
    ...pods
      .filter(isNotable)
      .slice(0, MOST_PODS)
      .map((pod) => `  pod ${pod.name} on ${pod.node}: ${stateWords(pod)}`),
  ]
}

const MOST_PODS = 20
const isNotable = ({ state }: ExplainedPod) => state !== 'current'
export const stateWords = ({ state, reason }: ExplainedPod) => (reason ? `${state} (${reason})` : state)

/** `8 current, 2 stale`. */
export function tally(pods: readonly ExplainedPod[]): string {
  const counts = POD_STATES.map((state) => ({ state, count: pods.filter((pod) => pod.state === state).length }))
  return counts.flatMap(({ state, count }) => (count > 0 ? [`${count} ${state}`] : [])).join(', ')
}

export function appliedWords(applied: readonly number[]): string {
  return applied.length === 0 ? 'no patch' : `patch ${applied.join(', then ')}`
}

function changeLines({ path, before, after }: TemplateChange): readonly string[] {
  return [
    ...(before === undefined ? [] : [`  - ${path}: ${before}`]),
    ...(after === undefined ? [] : [`  + ${path}: ${after}`]),
  ]
}

export function overlapWords({ path, entries, decidedBy, groups }: Overlap): string {
  const where = groups.length === 0 ? '; they meet on no Node now' : ` (group ${groups.map((at) => at + 1).join(', ')})`
  return `${path} is set by patches ${entries.join(', ')}; ${DECISION_WORDS[decidedBy]}${where}`
}
const DECISION_WORDS: Readonly<Record<Overlap['decidedBy'], string>> = {
  priority: 'the last of these has the highest priority, and counts',
  'list order': 'of equal priority, the last of these counts',
  'equal values': 'to equal values',
}

export function limitWords({ of, is, most, unit, state }: Limit): string {
  return `${of}: ${is} of ${most} ${unit}, ${LIMIT_WORDS[state]}`
}
export const LIMIT_WORDS: Readonly<Record<Limit['state'], string>> = {
  far: 'fine',
  near: 'near the limit',
  over: 'over the limit',
}
