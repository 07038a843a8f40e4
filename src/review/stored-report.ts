import { someOf } from '../admission/wording.ts'
import type { Objection } from './objections.ts'
import type { Assessment } from './stored.ts'

export interface Report {
  readonly assessments: readonly Assessment[]
  /** The number of terminating objects, which are not reviewed. */
  readonly going: number
}

/** First what to repair, then what may stay, then the figures. */
export function asText({ assessments, going }: Report): string {
  const paragraphs = [
    section('refused even if nothing is changed:', assessments, ({ unchanged }) => unchanged),
    section('refused if created today; stored as they are they may be edited:', assessments, ratcheted),
    unknownOf(assessments),
    grouped('completed by the next write:', assessments, ({ completed }) => completed.join(', ')),
    grouped('warned of:', assessments, ({ warnings }) => warnings.join('; ')),
    byRule(assessments),
  ]
  const sections = paragraphs.filter((lines) => lines.length > 0).map((lines) => [...lines, ''].join('\n'))
  return [...sections, `${summaryOf(assessments, going)}\n`].join('\n')
}

/** Objections that would refuse only a new object. */
function ratcheted({ asNew, unchanged }: Assessment): readonly Objection[] {
  return asNew.filter(({ rule, path }) => !unchanged.some((other) => other.rule === rule && other.path === path))
}

function section(
  title: string,
  all: readonly Assessment[],
  of: (each: Assessment) => readonly Objection[],
): readonly string[] {
  const lines = all.flatMap((each) =>
    of(each).map(({ path, message }) => [nameOf(each), path, message].filter(Boolean).join(': ')),
  )
  return lines.length === 0 ? [] : [title, ...lines]
}

function unknownOf(all: readonly Assessment[]): readonly string[] {
  const lines = all.flatMap((each) => (each.unknown === undefined ? [] : [`${nameOf(each)}: ${each.unknown}`]))
  return lines.length === 0 ? [] : ['could not be decided:', ...lines]
}

/** One line for all objects with the same result: after an upgrade that may be every object of a kind. */
function grouped(title: string, all: readonly Assessment[], of: (each: Assessment) => string): readonly string[] {
  const alike = Map.groupBy(
    all.filter((each) => of(each) !== ''),
    (each) => `${each.of.kind}: ${of(each)}`,
  )
  const lines = [...alike].map(
    ([what, each]) => `${what} — ${many(each.length, 'object')}: ${someOf(each.map(placeOf))}`,
  )
  return lines.length === 0 ? [] : [title, ...lines]
}

/** The number of objects to repair for each rule, and where. */
function byRule(all: readonly Assessment[]): readonly string[] {
  const lines = Object.entries(countsOf(all)).map(([rule, { asNew, unchanged, namespaces }]) => {
    const where = Object.entries(namespaces).map(([namespace, count]) => `${namespace} (${count})`)
    return `${rule}: ${asNew} as new, ${unchanged} even unchanged; in ${where.join(', ')}`
  })
  return lines.length === 0 ? [] : ['objects by rule:', ...lines]
}

interface RuleCount {
  readonly asNew: number
  readonly unchanged: number
  readonly namespaces: Readonly<Record<string, number>>
}

function countsOf(all: readonly Assessment[]): Readonly<Record<string, RuleCount>> {
  const found = all.flatMap((each) =>
    [...new Set([...each.asNew, ...each.unchanged].map(({ rule }) => rule))].map((rule) => ({ rule, each })),
  )
  const byId = [...Map.groupBy(found, ({ rule }) => rule)].sort(([one], [other]) => one.localeCompare(other))
  return Object.fromEntries(
    byId.map(([rule, those]) => {
      const named = (objections: readonly Objection[]) => objections.some((each) => each.rule === rule)
      const homes = Map.groupBy(those, ({ each }) => each.object.metadata.namespace ?? '')
      const namespaces = Object.fromEntries([...homes].map(([home, { length }]) => [home, length]))
      const asNew = those.filter(({ each }) => named(each.asNew)).length
      return [rule, { asNew, unchanged: those.filter(({ each }) => named(each.unchanged)).length, namespaces }]
    }),
  )
}

export function resultOf({ asNew, unchanged, unknown }: Assessment): 'admitted' | 'refused' | 'unknown' {
  if (asNew.length > 0 || unchanged.length > 0) return 'refused'
  return unknown === undefined ? 'admitted' : 'unknown'
}

function totalsOf(all: readonly Assessment[], going: number) {
  const count = (is: (each: Assessment) => boolean) => all.filter(is).length
  return {
    objects: all.length,
    admitted: count((each) => resultOf(each) === 'admitted'),
    refusedAsNew: count(({ asNew }) => asNew.length > 0),
    refusedUnchanged: count(({ unchanged }) => unchanged.length > 0),
    unknown: count((each) => resultOf(each) === 'unknown'),
    completed: count(({ completed }) => completed.length > 0),
    going,
  }
}

function summaryOf(all: readonly Assessment[], going: number): string {
  const { objects, admitted, refusedAsNew, refusedUnchanged, unknown, completed } = totalsOf(all, going)
  const parts = [
    `${admitted} admitted`,
    `${refusedAsNew} refused as new`,
    `${refusedUnchanged} refused even unchanged`,
    ...(unknown === 0 ? [] : [`${unknown} could not be decided`]),
    `${completed} would be completed`,
    ...(going === 0 ? [] : [`${going} not asked about, being deleted`]),
  ]
  return `${many(objects, 'object')}: ${parts.join(', ')}`
}

const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
const placeOf = ({ object: { metadata } }: Assessment) => [metadata.namespace, metadata.name].filter(Boolean).join('/')
const nameOf = (each: Assessment) => `${each.of.kind} ${placeOf(each)}`

export function asJson({ assessments, going }: Report): string {
  const summary = { ...totalsOf(assessments, going), rules: countsOf(assessments) }
  return `${JSON.stringify({ objects: assessments.map(plain), summary }, null, 2)}\n`
}

function plain(each: Assessment) {
  const { of, object, asNew, unchanged, completed, warnings, unknown } = each
  const { apiVersion } = object
  const { namespace, name } = object.metadata
  const result = resultOf(each)
  return { apiVersion, kind: of.kind, namespace, name, result, asNew, unchanged, completed, warnings, unknown }
}
