import type { Gvr } from '../../../src/cluster/port.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { type Bytes, posting } from '../../support/fakes/wire.ts'
import { reviewsOf, type Sent as Wishes, withRequest } from '../../support/reviews.ts'

/** What may arrive at the port of reviews, and the answer. */
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
  readonly http: number
  /** Of log and metric; of a review that was understood `allowed`, `patched`, or the reason of its refusal. */
  readonly code: string
  /** What a person gets to read; the patch, where there is one, before it. In brief where it is long. */
  readonly message: string
  /** The connection is closed behind the answer; otherwise it serves the next review. */
  readonly closes?: true
}
type Sent = Bytes | readonly Bytes[] | (Pick<BadInput, 'sent'> & Partial<Pick<BadInput, 'late' | 'ends' | 'slow'>>)

/**
 * A table lists what arrives, in groups below their answers:
 *
 *     400, closed CODE message of the status (without a number the status of HTTP is 200)
 *     further lines of the message
 *       name | ${what is sent} | what stands for {} in the answer | further lines of it
 *
 * Only the name and what is sent are needed. The sign ␤ stands for a line break within a line of an answer.
 */
export function table(pieces: readonly string[], ...cells: readonly Sent[]): readonly BadInput[] {
  const text = pieces.map((piece, at) => piece + (BEFORE_SENT.test(piece) ? at : String(cells[at] ?? '')))
  const groups = text.join('').slice(1, -1).split(BEFORE_ANSWER)
  return groups.flatMap((group) => rowsIn(group.split('\n'), cells))
}
const BEFORE_SENT = /\n {4}[^\n]+ \| $/
const BEFORE_ANSWER = /(?<=\n {4}[^\n]*)\n(?= {2}\S)/

function rowsIn(lines: readonly string[], cells: readonly Sent[]): readonly BadInput[] {
  const rows = lines.filter((line) => /^ {4}\S/.test(line))
  const answer = lines.filter((line) => /^ {2}\S/.test(line)).map((line) => line.slice(2))
  const others = lines.length - rows.length - answer.length
  if (rows.length === 0 || others > 0) throw new Error(`an answer and its rows are expected, not ${lines.join('\n')}`)
  return rows.map((row) => {
    const [name = '', at, cell = '{}', ...more] = row.slice(4).split(' | ')
    return {
      name,
      ...writtenAs(cells[Number(at)]),
      ...answerIn([...answer, ...more].join('\n').replaceAll('{}', () => cell)),
    }
  })
}

function answerIn(lines: string): Pick<BadInput, 'http' | 'code' | 'message' | 'closes'> {
  const [, http = 200, closed, code = '', first = '', rest = ''] = ANSWER.exec(lines) ?? []
  const message = (code === 'allowed' ? first : inBrief(first)) + rest
  return { http: Number(http), code, message: message.replaceAll('␤', '\n'), ...(closed && { closes: true }) }
}
const ANSWER = /^(?:(\d{3})(, closed)? )?(\S+) ?([^\n]*)(.*)$/s

function writtenAs(sent: Sent | undefined): Pick<BadInput, 'sent'> {
  if (sent === undefined) throw new Error('a row says what is sent')
  if (typeof sent === 'string' || sent instanceof Uint8Array) return { sent: [sent] }
  return 'sent' in sent ? sent : { sent }
}

/** These make reviews: isNew, isChanged, isGone and created for /validating, isMade, isRemade and made for /mutating. */
export function asking(resource: Gvr, base: Tree) {
  const { creationOf, updateOf, deletionOf } = reviewsOf(resource)
  const having = (fields: Tree, metadata?: Tree) => over(base, fields, metadata)
  return {
    creationOf,
    updateOf,
    having,
    isNew: (object: unknown, word?: string) => asWritten(creationOf(object), word),
    isMade: (object: unknown, word?: string) => asWritten(creationOf(object), word, MUTATING),
    isChanged: (old: unknown, object: unknown, wishes?: Wishes) => asWritten(updateOf(old, object, wishes)),
    isRemade: (old: unknown, object: unknown) => asWritten(updateOf(old, object), undefined, MUTATING),
    isGone: (object: unknown) => asWritten(deletionOf(object)),
    created: (fields: Tree, metadata?: Tree) => asWritten(creationOf(having(fields, metadata))),
    made: (fields: Tree, metadata?: Tree) => asWritten(creationOf(having(fields, metadata)), undefined, MUTATING),
    isForced: (path = VALIDATING) => forced(creationOf(having({}, { managedFields: MANAGED })), path),
  }
}

/** The word replaces the text "#" in the JSON, so that a row can send what JSON.stringify never writes. */
export const asWritten = (body: unknown, word = '"#"', path = VALIDATING) =>
  posting(JSON.stringify(body).replaceAll('"#"', word), { path })
export const reworded = (body: unknown, from: string, to: string, path = VALIDATING) =>
  raw(JSON.stringify(body).replace(from, to), path)
export const raw = (body: string, path = VALIDATING) => posting(body, { path })
/** A server-side apply sends it, and takes fields from other managers. */
export const forced = (body: Tree, path = VALIDATING) =>
  asWritten(withRequest(body, { options: FORCED }), undefined, path)
/** The object gets these fields over its own, and its metadata these. */
export function over(object: Tree, fields: Tree, metadata: Tree = {}): Tree {
  return { ...object, ...fields, metadata: { ...(isTree(object.metadata) ? object.metadata : {}), ...metadata } }
}

export const MANAGED = Array.from({ length: 200 }, () => ({ manager: 'm', fieldsV1: { 'f:spec': {} } }))
export const FORCED = { kind: 'PatchOptions', apiVersion: 'meta.k8s.io/v1', force: true, fieldManager: 'ann' }
export const STATUS = { subResource: 'status' }
export const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
export const many = <T>(count: number, of: (at: number) => T) => Array.from({ length: count }, (_, at) => of(at))
/** An answer has room for nine warnings, each a line. */
export const nine = (line: (at: number) => string) => many(9, line).join('\n  ')
/** A pattern with two ways to go on tries all of them on this text. */
export const bomb = (end = '!') => `${'a-'.repeat(100_000)}${end}`

const LONG = 600
/** Beginning, end and length tell one long text from another. */
export function inBrief(text: string): string {
  return text.length <= LONG ? text : `${text.slice(0, 200)} … ${text.slice(-100)} (${text.length} characters)`
}
