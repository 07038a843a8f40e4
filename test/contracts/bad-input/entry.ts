import { fitted } from '../../../src/admission/warnings.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { MUTATING, VALIDATING } from '../../support/desk.ts'
import { type Bytes, posting } from '../../support/fakes/wire.ts'

/** What may arrive at the port of reviews, and what is said to it. */
export interface BadInput {
  readonly name: string
  /** Written one after the other, on a connection of its own. */
  readonly sent: readonly Bytes[]
  /** Written when the answer is there. */
  readonly late?: Bytes
  /** The caller's side ends behind it. */
  readonly ends?: true
  /** Waits for a time limit. */
  readonly slow?: true
  /** Of HTTP. */
  readonly http: number
  /** Of log and metric; of a review that was understood `allowed`, `patched`, or the reason of its refusal. */
  readonly code: string
  /** What a person gets to read; the patch, where there is one, before it. In brief where it is long. */
  readonly message: string
  /** The connection is closed behind the answer; otherwise it serves the next review. */
  readonly closes?: true
}

export type Sent =
  | Bytes
  | readonly Bytes[]
  | (Pick<BadInput, 'sent'> & Pick<Partial<BadInput>, 'late' | 'ends' | 'slow'>)
type Answer = Pick<BadInput, 'http' | 'code' | 'message'> & Pick<Partial<BadInput>, 'closes'>
/** All that gets the same answer. */
export interface Group extends Answer {
  readonly of: Readonly<Record<string, Sent>>
}

export const refused = (code: string, message: string, of: Group['of']): Group => ({ http: 400, code, message, of })
export const cutOff = (code: string, message: string, of: Group['of']): Group => ({
  http: 400,
  code,
  message,
  closes: true,
  of,
})
export const allowed = (of: Group['of'], message = ''): Group => ({ http: 200, code: 'allowed', message, of })
/** A long patch as it is told in brief. */
export const patched = (of: Group['of'], patch: readonly Tree[] | string, ...warnings: readonly string[]): Group => ({
  http: 200,
  code: 'patched',
  message: patchedAs(typeof patch === 'string' ? patch : JSON.stringify(patch), warnings),
  of,
})
export const invalid = (message: string, of: Group['of']): Group => ({ http: 200, code: 'Invalid', message, of })
export const forbidden = (message: string, of: Group['of']): Group => ({ http: 200, code: 'Forbidden', message, of })

export const bare = (path: string) => `${path}: is a number, and a text belongs there; write it in quotes`
/** What has not even the outline of its kind, by the path that is named (CV-8). */
export const unchecked = (byPath: Readonly<Record<string, Group['of']>>): readonly Group[] =>
  Object.entries(byPath).map(([path, of]) => allowed(of, fitted([`${path}: ${NOT_OURS}`]).join()))
const NOT_OURS = 'of another shape than this tars-admission knows, so the object is not checked (CV-8)'

export const validated = (body: unknown) => posting(JSON.stringify(body))
export const mutated = (body: unknown) => posting(JSON.stringify(body), { path: MUTATING })
export const raw = (body: string, path = VALIDATING) => posting(body, { path })
/** With what JSON.stringify does not write: each of these texts stands for the words behind it. */
export const inWords = (body: unknown, words: Readonly<Record<string, string>>, path = VALIDATING) =>
  raw(
    Object.entries(words).reduce((text, [mark, word]) => text.replaceAll(`"${mark}"`, word), JSON.stringify(body)),
    path,
  )
/** An object, with these fields in it over those that are there, and in its metadata these. */
export function having(object: Tree, parts: Tree, metadata: Tree = {}): Tree {
  return { ...object, ...parts, metadata: { ...(isTree(object.metadata) ? object.metadata : {}), ...metadata } }
}

export const MANAGED = Array.from({ length: 200 }, () => ({ manager: 'm', fieldsV1: { 'f:spec': {} } }))
export const FORCED = { kind: 'PatchOptions', apiVersion: 'meta.k8s.io/v1', force: true, fieldManager: 'ann' }
export const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

export function patchedAs(patch: string, warnings: readonly string[]): string {
  return [inBrief(patch), ...warnings].join('\n')
}

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g
/** What is filled in with the present, which is another one each time. */
export function timeless(text: string): string {
  return text.replaceAll(MOMENT, (moment) => (Math.abs(Date.now() - Date.parse(moment)) < 60_000 ? '<now>' : moment))
}

const LONG = 600
/** Beginning, end and length tell one long text from another. */
export function inBrief(text: string): string {
  return text.length <= LONG ? text : `${text.slice(0, 200)} … ${text.slice(-100)} (${text.length} characters)`
}

export function entriesOf(groups: readonly Group[]): readonly BadInput[] {
  return groups.flatMap(({ of, ...answer }) =>
    Object.entries(of).map(([name, sent]) => ({ name, ...answer, ...writtenAs(sent) })),
  )
}

function writtenAs(sent: Sent): Pick<BadInput, 'sent'> {
  if (typeof sent === 'string' || sent instanceof Uint8Array) return { sent: [sent] }
  return 'sent' in sent ? sent : { sent }
}
