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
  const { known, warnings } = outcome
  const notes = known ? [] : [`note: no rules for ${kindOf(outcome)}, taken as it is`]
  const said = [...notes, ...warnings.map((warning) => `warning: ${warning}`)]
  return [...said.map((words) => `${placeOf(outcome, '')}: ${words}`), ...faultsOf(outcome).map(lineOf)]
}

interface Line {
  readonly place: string
  readonly path: string
  readonly message: string
}

/** A refusal without causes is about the object as a whole. */
function faultsOf(outcome: Outcome): readonly Line[] {
  if (outcome.status === undefined) return []
  const { message, details } = outcome.status
  const causes = details?.causes ?? []
  if (causes.length === 0) return [{ place: placeOf(outcome, ''), path: '', message }]
  return causes.map(({ field, message: words }) => ({ place: placeOf(outcome, field), path: field, message: words }))
}

function lineOf({ place, path, message }: Line): string {
  return [place, path, message].filter(Boolean).join(': ')
}

function placeOf({ written: { file, lineOf: lineIn } }: Outcome, path: string): string {
  return `${file}:${lineIn(path)}`
}
function kindOf({ written: { object } }: Outcome): string {
  return `${object.kind} ${object.apiVersion}`
}

function summaryOf(outcomes: readonly Outcome[]): string {
  const count = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result).length
  const parts = [`${count('admitted')} admitted`, `${count('refused')} refused`]
  const unknown = count('unknown') === 0 ? [] : [`${count('unknown')} could not be decided`]
  return `${outcomes.length} object${outcomes.length === 1 ? '' : 's'}: ${[...parts, ...unknown].join(', ')}`
}

export function asJson(outcomes: readonly Outcome[]): string {
  const objects = outcomes.map((outcome) => ({
    file: outcome.written.file,
    line: outcome.written.lineOf(''),
    apiVersion: outcome.written.object.apiVersion,
    kind: outcome.written.object.kind,
    name: outcome.written.object.metadata.name,
    result: outcome.result,
    ...(outcome.status && { code: outcome.status.code, reason: outcome.status.reason }),
    findings: faultsOf(outcome).map(({ place, path, message }) => ({
      line: Number(place.split(':').at(-1)),
      path,
      message,
    })),
    warnings: outcome.warnings,
  }))
  return `${JSON.stringify({ objects }, null, 2)}\n`
}
