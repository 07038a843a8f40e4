import { Document, visit } from 'yaml'
import type { Gvr, Ref } from '../cluster/port.ts'
import type { Notice } from '../reconcile/action.ts'
import type { Tree } from '../schema.ts'
import type { Assumption, PlannedWrite, ReviewPlan } from './plan.ts'

export function asText(plan: ReviewPlan): string {
  const lines = linesOf(plan)
  return lines.length === 0
    ? 'plan: the worker has nothing to do\n'
    : `plan:\n${lines.map((line) => `  ${line}\n`).join('')}`
}

/** For kubectl: objects are documents, and all else is comments. */
export function asYaml(plan: ReviewPlan, report: string): string {
  const entries = entriesOf(plan).map(({ line, object }) =>
    object === undefined ? comment(line) : `---\n${comment(line)}${yamlOf(object)}`,
  )
  return [comment(report.trimEnd()), ...entries].join('')
}

/** As kubectl reads it: there `yes` is a boolean and 1:30 a number, and a line ends also where no editor shows it. */
function yamlOf(object: Tree): string {
  const document = new Document(object, { version: '1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && (scalar.value.search(ODD) >= 0 || NUMERIC.test(scalar.value)))
        scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 }).replaceAll(ODD, escaped)
}
/** What YAML does not allow, or reads as the end of a line. */
const ODD = /[^\t\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu
/** May be a number to kubectl, such as 0o17, which YAML 1.1 has not. */
const NUMERIC = /^[-+.]?\d/
const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

export function asData({ assumptions, writes, notices }: ReviewPlan) {
  return {
    assumptions: assumptions.map(({ of, ref, ...more }) => ({ ...named(of, ref), ...more })),
    writes: latest(writes).map(({ target, ...more }) => ({
      ...(target && { ...named(target.of, target.ref), subresource: target.subresource }),
      ...more,
    })),
    notices: once(notices, lineOfNotice).map(({ about, ...more }) => ({
      ...(about && named(about.of, about.ref)),
      ...more,
    })),
  }
}

function named({ group, version, kind }: Gvr, ref: Ref) {
  return { apiVersion: [group, version].filter(Boolean).join('/'), kind, ...ref }
}

interface PlanEntry {
  readonly line: string
  readonly object?: Tree | undefined
}

const linesOf = (plan: ReviewPlan) =>
  entriesOf(plan).map(({ line }) => line.replaceAll('\n', ' ').replaceAll(ODD, escaped))

/** In the order of what happens, and last what the worker reports. */
function entriesOf({ assumptions, writes, notices }: ReviewPlan): readonly PlanEntry[] {
  return [
    ...assumptions.map((each) => ({ line: lineOfAssumption(each) })),
    ...latest(writes).map((write) => ({ line: lineOfWrite(write), object: write.object })),
    ...once(notices, lineOfNotice).map((notice) => ({ line: lineOfNotice(notice) })),
  ]
}

/** Each write once, with the object that it came to. */
function latest(writes: readonly PlannedWrite[]): readonly PlannedWrite[] {
  return [...new Map(writes.map((write) => [lineOfWrite(write), write])).values()]
}
function once<T>(all: readonly T[], lineOf: (each: T) => string): readonly T[] {
  return [...new Map(all.map((each) => [lineOf(each), each])).values()]
}

function lineOfAssumption({ of, ref, says, refused }: Assumption): string {
  const what = `${titleOf(of, ref)}: as if ${says}`
  return refused === undefined ? what : `${what}, which would be refused: ${refused}`
}

function lineOfWrite({ do: verb, because, target, refused }: PlannedWrite): string {
  const of = target && `${titleOf(target.of, target.ref)}${target.subresource ? ` ${target.subresource}` : ''}`
  const line = [verb, of, `(${because})`].filter(Boolean).join(' ')
  return refused === undefined ? line : `${line} would be refused: ${refused}`
}

function lineOfNotice({ type, reason, message, about }: Notice): string {
  return [type, reason, about && `${titleOf(about.of, about.ref)}:`, message].filter(Boolean).join(' ')
}

const titleOf = ({ kind }: Gvr, { namespace, name }: Ref) => `${kind} ${[namespace, name].filter(Boolean).join('/')}`

/** No line of it can be anything but a comment. */
function comment(text: string): string {
  const lines = text.split('\n').map((line) => `# ${line.replaceAll(ODD, escaped)}`.trimEnd())
  return `${lines.join('\n')}\n`
}
