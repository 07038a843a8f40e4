import {
  type Document,
  isAlias,
  isCollection,
  LineCounter,
  parseAllDocuments,
  type SchemaOptions,
  type Tags,
  visit,
  type YAMLParseError,
} from 'yaml'
import { Fault } from '../faults.ts'
import { isTree } from '../schema.ts'

/** One document of a YAML file: what it says, and on which line. */
export interface YamlDocument {
  readonly value: unknown
  /** The line of a field; for a missing field that of its nearest parent. */
  readonly lineOf: (steps: Steps) => number
  /** What is odd about it, and kubectl does not mind. */
  readonly remarks: readonly Remark[]
}
export type Steps = readonly (string | number)[]
export interface Remark {
  readonly line: number
  readonly message: string
}

export function pagesIn(file: string, text: string): readonly YamlDocument[] {
  const lineCounter = new LineCounter()
  const lineAt = (offset: number) => lineCounter.linePos(offset).line
  return parseAllDocuments(text, { ...AS_KUBECTL, lineCounter, prettyErrors: false, logLevel: 'error' }).map(
    (document) => {
      const [wrong] = document.errors.filter((error) => !isTwice(error))
      if (wrong !== undefined) throw faultAt(file, lineAt(wrong.pos[0]), wrong.message)
      const odd = oddKey(document)
      if (odd !== undefined)
        throw faultAt(file, lineAt(odd), 'a key that is no text, but a list or has fields of its own')
      return {
        value: valueIn(document, (why) => faultAt(file, lineAt(startOf(document, [])), why)),
        lineOf: (steps) => lineAt(startOf(document, steps)),
        remarks: document.errors.map(({ pos }) => ({ line: lineAt(pos[0]), message: TWICE })),
      }
    },
  )
}

export function faultAt(file: string, line: number, why: string): Fault {
  return new Fault('FILE_UNREADABLE', `${file}:${line}: ${why}`)
}

const TWICE = 'this key stands there already; the last one counts'
const isTwice = ({ code }: YAMLParseError) => code === 'DUPLICATE_KEY'

/**
 * YAML 1.1, as kubectl reads it: `yes` is a boolean and `<<` merges, but what looks like a date or a time of day stays
 * a text.
 */
const AS_KUBECTL: SchemaOptions = { schema: 'yaml-1.1', customTags: withoutTimes }
function withoutTimes(tags: Tags): Tags {
  const isTime = (tag: Tags[number]) =>
    typeof tag !== 'string' && (tag.tag.endsWith(':timestamp') || ('format' in tag && tag.format === 'TIME'))
  return tags.filter((tag) => !isTime(tag))
}

/** An alias may stand for nothing, or for too much. */
function valueIn(document: Document.Parsed, fault: (why: string) => Fault): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    throw fault(cause instanceof Error ? cause.message : String(cause))
  }
}

/** Where there is one: the library would make some text of it, and kubectl refuses it. */
function oddKey(document: Document.Parsed): number | undefined {
  let start: number | undefined
  visit(document, {
    Pair(_, { key }) {
      const named = isAlias(key) ? key.resolve(document) : key
      if (!isCollection(named)) return
      start = named.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return start
}

function startOf(document: Document.Parsed, steps: Steps): number {
  for (let many = steps.length; many > 0; many -= 1) {
    const start = keyStart(document, steps.slice(0, many))
    if (start !== undefined) return start
  }
  return document.contents?.range[0] ?? 0
}

/** Where its key stands: a value may begin lines below. */
function keyStart(document: Document.Parsed, steps: Steps): number | undefined {
  const holder = steps.length === 1 ? document.contents : document.getIn(steps.slice(0, -1), true)
  const key = steps.at(-1)
  if (!isCollection(holder) || key === undefined) return undefined
  const isOfKey = (item: unknown) => isTree(item) && isTree(item.key) && String(item.key.value) === String(key)
  const pair: unknown = holder.items.findLast(isOfKey)
  const node: unknown = isTree(pair) ? pair.key : holder.get(key, true)
  return isTree(node) && Array.isArray(node.range) ? Number(node.range[0]) : undefined
}
