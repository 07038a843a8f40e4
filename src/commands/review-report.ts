import type { Status } from '../kube/status.ts'
import type { Written } from './objects.ts'

export interface Outcome {
  readonly written: Written
  readonly known: boolean // whether there are rules for its kind
  readonly result: 'admitted' | 'refused' | 'unknown'
  readonly status?: Status
  readonly warnings: readonly string[]
}

/** Like a compiler's: file:line: path: sentence (rule). */
export function asText(outcomes: readonly Outcome[]): string {
  return [...outcomes.flatMap(linesOf), summaryOf(outcomes), ''].join('\n')
}

function linesOf(outcome: Outcome): readonly string[] {
  const { file } = outcome.written
  const found = [...notesOn(outcome), ...warningsOf(outcome), ...findingsOf(outcome)]
  return found.map(({ line, path, message }) => [`${file}:${line}`, path, message].filter(Boolean).join(': '))
}

function notesOn({ written: { object, lineOf }, known }: Outcome): readonly Found[] {
  const message = `note: there are no rules for ${object.kind} ${object.apiVersion}, it is taken as it is`
  return known ? [] : [{ line: lineOf(''), path: '', message }]
}

/** Of the text and of admission. */
function warningsOf({ written: { remarks, lineOf }, warnings }: Outcome): readonly Found[] {
  const all = [...remarks, ...warnings.map((message) => ({ line: lineOf(''), message }))]
  return all.map(({ line, message }) => ({ line, path: '', message: `warning: ${message}` }))
}

interface Found {
  readonly line: number
  readonly path: string
  readonly message: string
}

/** A refusal without causes is about the object as a whole. */
function findingsOf({ status, written: { lineOf } }: Outcome): readonly Found[] {
  if (status === undefined) return []
  const causes = status.details?.causes ?? []
  if (causes.length === 0) return [{ line: lineOf(''), path: '', message: status.message }]
  return causes.map(({ field, message }) => ({ line: lineOf(field), path: field, message }))
}

function summaryOf(outcomes: readonly Outcome[]): string {
  const count = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result).length
  const parts = [`${count('admitted')} admitted`, `${count('refused')} refused`]
  const unknown = count('unknown') === 0 ? [] : [`${count('unknown')} could not be decided`]
  return `${outcomes.length} object${outcomes.length === 1 ? '' : 's'}: ${[...parts, ...unknown].join(', ')}`
}

export function asJson(outcomes: readonly Outcome[]): string {
  return `${JSON.stringify({ objects: outcomes.map(plain) }, null, 2)}\n`
}

function plain(outcome: Outcome) {
  const { written, result, status, warnings, known } = outcome
  const { apiVersion, kind, metadata } = written.object
  return {
    file: written.file,
    line: written.lineOf(''),
    apiVersion,
    kind,
    name: metadata.name,
    known,
    result,
    ...(status && { code: status.code, reason: status.reason }),
    findings: findingsOf(outcome),
    warnings: [...written.remarks.map(({ message }) => message), ...warnings],
  }
}
