import fc from 'fast-check'
import type { Built } from '../../src/cluster/port.ts'
import type { Kind } from '../../src/kind.ts'
import { isTree, type JsonSchema, type Tree } from '../../src/schema.ts'
import { goPattern, validator } from '../../src/schema-check.ts'
import { ANNOTATIONS, FRAMEWORK_NAME, LABELS, TREE_NAME } from '../../webhooks/tars/names.ts'
import { GOING } from './builders/templates.ts'

/** Few, so that one object names another by chance; the last fits into no label. */
const WORDS = ['a', 'b', 'c', 'd.e', 'p'.repeat(64)]
/** Names that a rule asks for: of the server b of the app a, and of what there is once. */
const NAMES = ['a-b', TREE_NAME, FRAMEWORK_NAME]
/** Some of them are bounds of replicas. */
const BOUNDS = ['0', '2', '99', '100', '01', '', 'x', '2026-01-01T00:00:00Z']
const KEYS = ['__proto__', 'constructor', 'a/b', 'c~d', '', 'metadata', 'labels', 'spec', 'name', 'parent']

type Any = fc.Arbitrary<unknown>
/** How the objects of a schema go wrong, if they do: which fields may be missing, and what may stand in place of a value. */
interface Twist {
  readonly required: (names: readonly string[]) => readonly string[]
  readonly twisted: (value: Any) => Any
}
const WHOLE: Twist = { required: (names) => names, twisted: (value) => value }
const DRAFT: Twist = { required: () => [], twisted: (value) => value }

/** Keys are written as data, as JSON.parse does. */
const treeOf = (entries: Iterable<readonly [string, unknown]>): Tree => Object.fromEntries(entries)

export const anyJson: Any = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e308,
      2 ** 53 + 2,
      '',
      'a',
      '\u0000\r\n',
      '\ud800',
      'x'.repeat(300),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 4 }).map(treeOf),
  ),
})).value
const HOSTILE: Twist = {
  required: () => [],
  twisted: (value) => fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: anyJson }),
}

function anyOf(schema: JsonSchema, twist: Twist): Any {
  const value = plainOf(schema, twist)
  return twist.twisted(schema.nullable ? fc.option(value) : value)
}

function plainOf(schema: JsonSchema, twist: Twist): Any {
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -9, max: schema.maximum ?? 99 })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return listOf(schema, anyOf(schema.items ?? { type: 'string' }, twist))
    case 'object':
      return objectOf(schema, twist)
    default:
      return fc.oneof(fc.integer({ min: 0, max: 99 }), textOf({ ...schema, type: 'string' }))
  }
}

/** No two items are the same one. */
function listOf({ minItems = 0, maxItems = 4, 'x-kubernetes-list-map-keys': keys }: JsonSchema, item: Any): Any {
  const length = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) }
  if (keys === undefined) return fc.array(item, length)
  const identityOf = (value: unknown) => JSON.stringify(keys.map((key) => (isTree(value) ? value[key] : undefined)))
  return fc.uniqueArray(item, { ...length, selector: identityOf })
}

/** To make texts of a pattern takes half a second to prepare, and one pattern stands in many places. */
const texts = new Map<string, Any>()
function textOf({ description: _, default: __, ...schema }: JsonSchema): Any {
  const key = JSON.stringify(schema)
  const known = texts.get(key) ?? newTextOf(schema)
  texts.set(key, known)
  return known
}

function newTextOf(schema: JsonSchema): Any {
  const { enum: choices, pattern } = schema
  if (choices !== undefined) return fc.constantFrom(...choices)
  const fits = validator(schema)
  const words = WORDS.filter(fits)
  const other =
    pattern === undefined ? fc.string(lengthsOf(schema)) : fc.stringMatching(new RegExp(goPattern(pattern), 'u'))
  return fc.oneof(...(words.length === 0 ? [] : [fc.constantFrom(...words)]), other.filter(fits))
}

/** Not so long that a case takes its time. */
function lengthsOf({ minLength = 0, maxLength = 16 }: JsonSchema) {
  return { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 16)) }
}

function objectOf({ oneOf, ...schema }: JsonSchema, twist: Twist): fc.Arbitrary<Tree> {
  if (oneOf !== undefined) {
    const apart = oneOf.map((one) => objectOf(withOne(schema, one, oneOf), twist))
    return fc.oneof(...apart, ...(twist === WHOLE ? [] : [objectOf(schema, twist)]))
  }
  const { properties = {}, required = [], additionalProperties } = schema
  if (additionalProperties !== undefined) return mapOf(['a', 'b', ...KEYS], anyOf(additionalProperties, twist))
  const fields = Object.entries(properties).map(([name, field]) => [name, anyOf(field, twist)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...twist.required(required)] })
}

type One = NonNullable<JsonSchema['oneOf']>[number]
/** One of the fields is there, and the others are not. */
function withOne(schema: JsonSchema, { required: [name = ''] }: One, all: readonly One[]): JsonSchema {
  const others = all.flatMap(({ required }) => required).filter((other) => other !== name)
  const kept = Object.entries(schema.properties ?? {}).filter(([field]) => !others.includes(field))
  return { ...schema, properties: Object.fromEntries(kept), required: [...(schema.required ?? []), name] }
}

const mapOf = <T>(keys: readonly string[], value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))

/** As the API server stores them: what is required is there, and every value fits. */
export function storedOf(kind: Kind): fc.Arbitrary<Built> {
  const metadata = fc.record(
    {
      name: fc.constantFrom(...WORDS, ...NAMES),
      namespace: fc.constant('demo'),
      labels: mapOf([...labelsOf(kind), ...Object.values(LABELS), 'team'], fc.constantFrom(...WORDS, '')),
      annotations: mapOf([...Object.values(ANNOTATIONS), 'note'], fc.constantFrom(...BOUNDS)),
    },
    { requiredKeys: ['name', 'namespace', 'labels'] },
  )
  return fc.tuple(metadata, objectOf(kind.resource.schema, WHOLE)).map(([metadata, rest]) => ({
    ...rest,
    apiVersion: [kind.resource.group, kind.resource.version].filter(Boolean).join('/'),
    kind: kind.resource.kind,
    metadata,
  }))
}

/** What an author may send: whole, with anything missing, or with anything in place of anything (W-4). */
export function sentOf(kind: Kind): Any {
  const { schema } = kind.resource
  return fc.oneof(
    storedOf(kind),
    fc.oneof(
      ...[DRAFT, HOSTILE].map((twist) =>
        objectOf({ ...schema, properties: { ...schema.properties, metadata: METADATA } }, twist),
      ),
    ),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), anyJson)).map(treeOf),
  )
}

export const goingOf = (stored: Built): Built => ({ ...stored, metadata: { ...stored.metadata, ...GOING } })

const labelsOf = ({ reads }: Kind) => reads.flatMap(({ keeps }) => keeps?.byLabels ?? [])

const MAP: JsonSchema = { type: 'object', additionalProperties: { type: 'string' }, nullable: true }
const METADATA: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    generateName: { type: 'string' },
    labels: MAP,
    annotations: MAP,
    deletionTimestamp: { type: 'string', nullable: true },
  },
}
