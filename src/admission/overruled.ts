import { LAST_APPLIED } from '../kube/metadata.ts'
import { isTree, type JsonSchema } from '../schema.ts'
import type { Raw } from './change.ts'
import { fieldOf, isNone, isSame, type Overruling, own, pointerTo, type Reason, stepsOf, valueAt } from './patch.ts'
import { LENGTH, lengthOf } from './warnings.ts'

/** What the author wrote and what stands instead; removed where `now` is undefined. */
interface Replacement {
  readonly field: string
  readonly was: unknown
  readonly now: unknown
}

type Losses = Generator<Replacement, void>

/** The warnings about values of this write that mutations replaced or removed. */
export function overruled(
  overrulings: readonly Overruling[],
  schemas: readonly JsonSchema[],
  raw: Raw,
): readonly string[] {
  const words = schemas.some(hasSecret) ? withoutValues(overrulings.map(({ was }) => was)) : becomes
  return overrulings.flatMap(({ edit, was, by: { id, ...mutation } }) => {
    const by = { id, why: edit.why ?? mutation.why }
    const field = fieldOf(edit.path, raw.object)
    const now = edit.op === 'add' ? edit.value : undefined
    const losses = [...lossesIn({ field, was, now }, unasked(edit.path, schemas, raw)).take(MOST + 1)]
    const lines = losses.slice(0, MOST).map((loss) => words(loss, by))
    return losses.length > MOST ? [...lines, `${field}: and more${endOf(by)}`] : lines
  })
}
/** Of one edit, so that a list of any length takes no time; with what stands for the rest as many as are sent (AP-9). */
const MOST = 9

/** A kind that has a secret quotes nothing: where one may stand by mistake, the schema does not say. */
function hasSecret({ format, properties = {}, items, additionalProperties }: JsonSchema): boolean {
  const fields = [...Object.values(properties), items, additionalProperties]
  return format === 'password' || fields.some((field) => field !== undefined && hasSecret(field))
}

/**
 * What the author did not write: what is stored comes back from `kubectl get`, and on CREATE the API server fills in
 * defaults before a mutation sees the object (W-5). Only an apply notes which of them the author wrote.
 */
function unasked(path: string, schemas: readonly JsonSchema[], { operation, object, oldObject }: Raw): unknown {
  if (operation === 'UPDATE') return valueAt(oldObject, path)
  const usual = schemas.map((schema) => defaultAt(path, schema)).find((value) => value !== undefined)
  return usual === undefined || !isApplied(path, object) ? usual : undefined
}

function defaultAt(path: string, schema: JsonSchema): unknown {
  const field = stepsOf(path).reduce<JsonSchema | undefined>(
    (field, step) => field?.properties?.[step] ?? field?.items,
    schema,
  )
  return field?.default
}

/** An object that is created by server-side apply records the fields of its only writer. */
function isApplied(path: string, object: unknown): boolean {
  if (valueAt(appliedIn(object), path) !== undefined) return true
  const [entry] = listIn(valueAt(object, pointerTo('metadata', 'managedFields')))
  if (!isTree(entry) || entry.operation !== 'Apply') return false
  return valueAt(entry.fieldsV1, pointerTo(...stepsOf(path).map((step) => `f:${step}`))) !== undefined
}

function appliedIn(object: unknown): unknown {
  try {
    return JSON.parse(String(valueAt(object, pointerTo('metadata', 'annotations', LAST_APPLIED))))
  } catch {
    return undefined
  }
}

/** What has parts in both is compared part by part: what a mutation adds beside is no loss. */
function* lossesIn(loss: Replacement, unasked: unknown): Losses {
  const { field, was, now } = loss
  if (isNone(was) || isSame(was, now) || isSame(was, unasked)) return
  if (Array.isArray(was) && Array.isArray(now) && now.length > 0) yield* lossesInList(field, was, now, listIn(unasked))
  else if (isTree(was) && isTree(now))
    for (const key of Object.keys(was).sort())
      yield* lossesIn({ field: `${field}.${key}`, was: was[key], now: own(now, key) }, valueAt(unasked, pointerTo(key)))
  else yield loss
}

/** A shorter list is what a mutation left of the longer one, in its order. */
function* lossesInList(
  field: string,
  was: readonly unknown[],
  now: readonly unknown[],
  unasked: readonly unknown[],
): Losses {
  const back = new Set(unasked.map((item) => textOf(item)))
  let at = 0
  for (const [i, item] of was.entries()) {
    const isLeft = now.length === was.length || isSame(item, now[at])
    const loss = { field: `${field}[${i}]`, was: item, now: isLeft ? now[at++] : undefined }
    if (!back.has(textOf(item))) yield* lossesIn(loss, unasked[i])
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A value takes the room that the rest of a warning leaves it, a new one half of it at least. */
export function becomes({ field, was, now }: Replacement, by: Reason): string {
  const end = endOf(by)
  const room = LENGTH - lengthOf(`${field}:  is removed${end}`)
  if (now === undefined) return `${field}: ${inBrief(was, room)} is removed${end}`
  const instead = inBrief(now, Math.max(room / 2, room - lengthOf(inBrief(was, room))))
  return `${field}: ${inBrief(was, room - lengthOf(instead))} becomes ${instead}${end}`
}

/** A key that holds a hidden value is hidden with it; of many values, or in a long key, that is not looked for. */
function withoutValues(values: readonly unknown[]) {
  const hidden = values.length > MANY ? [''] : values.map(String)
  return ({ field, now }: Replacement, by: Reason) => {
    const isSafe = field.length <= LENGTH && !hidden.some((value) => field.includes(value))
    const place = isSafe ? field : field.replace(/\[.*/s, '')
    return `${place}: ${now === undefined ? 'removed' : 'replaced'}${endOf(by)}`
  }
}
const MANY = 100

const endOf = ({ id, why }: Reason) => (why === undefined ? ` (${id})` : `, for ${why} (${id})`)

function inBrief(value: unknown, room: number): string {
  const text = textOf(value, 2 * LENGTH)
  const characters = [...text]
  const most = Math.max(room, LEAST)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
const LEAST = 8

/** JSON that does not depend on the order of keys (W-9), and only as much of it as is shown: an author may write a megabyte. */
function textOf(value: unknown, most = Number.POSITIVE_INFINITY): string {
  let text = ''
  for (const piece of piecesOf(value, most)) {
    text += piece
    if (text.length >= most) return text.slice(0, most)
  }
  return text
}

function* piecesOf(value: unknown, most: number): Generator<string, void> {
  if (typeof value === 'string') yield JSON.stringify(value.slice(0, most))
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield i === 0 ? '[' : ','
      yield* piecesOf(item, most)
    }
    yield value.length === 0 ? '[]' : ']'
  } else if (isTree(value)) {
    const keys = Object.keys(value).sort()
    for (const [i, key] of keys.entries()) {
      yield `${i === 0 ? '{' : ','}${JSON.stringify(key.slice(0, most))}:`
      yield* piecesOf(value[key], most)
    }
    yield keys.length === 0 ? '{}' : '}'
  } else yield String(value)
}
