import type { Status } from '../kube/status.ts'
import type { Tree } from '../schema.ts'
import type { AuthoredDocument } from './objects.ts'

export interface ReviewOutcome {
  readonly written: AuthoredDocument
  readonly result: 'admitted' | 'refused' | 'unknown' | 'foreign' // foreign: of a kind that has no rules here
  readonly status?: Status
  readonly warnings: readonly string[]
}

/** Prints findings like a compiler: file:line: path: sentence (rule). */
export function asText(outcomes: readonly ReviewOutcome[]): string {
  return [...outcomes.flatMap(linesOf), summaryOf(outcomes), ''].join('\n')
}

function linesOf(outcome: ReviewOutcome): readonly string[] {
  const { file } = outcome.written
  const found = [...notesOn(outcome), ...warningsOf(outcome), ...findingsOf(outcome)]
  return found.map(({ line, path, message }) => [`${file}:${line}`, path, message].filter(Boolean).join(': '))
}

function notesOn({ written: { object, lineOf }, result }: ReviewOutcome): readonly LocatedFinding[] {
  const message = `note: ${object.kind} ${object.apiVersion} is not ours to review, so it is taken as it is`
  return result === 'foreign' ? [{ line: lineOf(''), path: '', message }] : []
}

/** Findings of the YAML text and of admission. */
function warningsOf({ written: { remarks, lineOf }, warnings }: ReviewOutcome): readonly LocatedFinding[] {
  const all = [...remarks, ...warnings.map((message) => ({ line: lineOf(''), message }))]
  return all.map(({ line, message }) => ({ line, path: '', message: `warning: ${message}` }))
}

interface LocatedFinding {
  readonly line: number
  readonly path: string
  readonly message: string
}

/** A refusal without causes is about the object as a whole. */
function findingsOf({ status, written: { lineOf } }: ReviewOutcome): readonly LocatedFinding[] {
  if (status === undefined) return []
  const causes = status.details?.causes ?? []
  if (causes.length === 0) return [{ line: lineOf(''), path: '', message: status.message }]
  return causes.map(({ field, message }) => ({ line: lineOf(field), path: field, message }))
}

function summaryOf(outcomes: readonly ReviewOutcome[]): string {
  const count = (result: ReviewOutcome['result']) => outcomes.filter((outcome) => outcome.result === result).length
  const where = (result: ReviewOutcome['result'], words: string) =>
    count(result) === 0 ? [] : [`${count(result)} ${words}`]
  const parts = [`${count('admitted')} admitted`, `${count('refused')} refused`]
  const others = [...where('unknown', 'could not be decided'), ...where('foreign', 'not ours')]
  return `${outcomes.length} object${outcomes.length === 1 ? '' : 's'}: ${[...parts, ...others].join(', ')}`
}

export function asJson(outcomes: readonly ReviewOutcome[], more: Tree = {}): string {
  return `${JSON.stringify({ objects: outcomes.map(plain), ...more }, null, 2)}\n`
}

function plain(outcome: ReviewOutcome) {
  const { written, result, status, warnings } = outcome
  const { apiVersion, kind, metadata } = written.object
  return {
    file: written.file,
    line: written.lineOf(''),
    apiVersion,
    kind,
    name: metadata.name,
    result,
    ...(status && { code: status.code, reason: status.reason }),
    findings: findingsOf(outcome),
    warnings: [...written.remarks.map(({ message }) => message), ...warnings],
  }
}
