import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { defaulted } from '../../../src/cluster/memory/structural-schema.ts'
import { wholeOf } from '../../../src/print/crds.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { closed, validator } from '../../../src/schema-check.ts'
import { treesOf } from '../../support/builders/trees.ts'
import { kinds } from '../../support/kinds.ts'
import { ran } from '../../support/world.ts'

const { out } = await ran(['manifests', '--set=schemas', '--families=all'])
const editor = new Ajv({ strict: false, allErrors: true }).compile(JSON.parse(out))
const refusal = (object: Tree) => (editor(object) ? undefined : editor.errors?.[0])

const samplesIn = (folder: string) =>
  readdirSync(`manifests/samples/${folder}`).flatMap((file) => {
    const documents = parseAllDocuments(readFileSync(`manifests/samples/${folder}/${file}`, 'utf8'))
    const objects = treesOf(documents.map((each) => each.toJS()))
    return objects.map((object, i) => ({ name: `${file} ${i}`, object }))
  })
const good = ['good', 'cloudflare'].flatMap(samplesIn)

/** By kind, whether admission takes the shape of an object, once the API server filled in the defaults. */
const fitting = new Map(
  kinds.flatMap(({ resource, definition }) => {
    const whole = wholeOf('', resource.schema)
    const check = validator(closed(whole))
    return definition ? [[resource.kind, (object: Tree) => check(defaulted(object, whole))] as const] : []
  }),
)
const fits = (object: Tree) => fitting.get(String(object.kind))?.(object) ?? true

/** Each object with one field or item of another type. */
function* withOneBroken(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const each of broken(item)) yield value.with(i, each)
  } else if (isTree(value)) {
    for (const [name, field] of Object.entries(value))
      for (const each of broken(field)) yield { ...value, [name]: each }
  }
}
function* broken(value: unknown): Generator<unknown> {
  yield [[]]
  yield* withOneBroken(value)
}

describe('manifests --set schemas: what an author writes', () => {
  it.each(good)('passes if it is good: $name', ({ object }) => {
    expect(refusal(object)).toBeUndefined()
  })
  it.each(samplesIn('bad'))('is refused if a schema can see what is bad: $name', ({ object }) => {
    expect(refusal(object) === undefined).toBe(fits(object))
  })
  it.each(good)('is refused by an editor as by admission when a field has another type: $name', ({ object }) => {
    const { apiVersion, kind, ...body } = object
    const differ = [...withOneBroken(body)].filter((each) => {
      const whole = { apiVersion, kind, ...(isTree(each) ? each : {}) }
      return (refusal(whole) === undefined) !== fits(whole)
    })
    expect(differ).toEqual([])
  })
  it.each([
    { what: 'an unknown field', body: { metadata: {}, app: 'a' }, keyword: 'additionalProperties' },
    { what: 'a field that is missing', body: { metadata: {}, spec: {} }, keyword: 'required' },
    { what: 'a value of another type', body: { spec: { app: 3 } }, keyword: 'type' },
  ])('is refused for $what', ({ body, keyword }) => {
    const object = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TServer', ...body }
    editor(object)
    expect(editor.errors?.map((each) => each.keyword)).toContain(keyword)
  })
  it('passes if it is of a kind of others', () => {
    expect(refusal({ apiVersion: 'v1', kind: 'ConfigMap', data: 3 })).toBeUndefined()
  })
  it('has the sentence of a pattern, the descriptions and the defaults', () => {
    expect(out).toContain('"patternErrorMessage": "is no time; write one in the form of RFC 3339')
    const { definitions } = JSON.parse(out)
    expect(definitions['k8s.tars.io.TTree'].properties.businesses.items.properties.weight).toEqual({
      type: 'integer',
      description: 'How much it counts.',
      minimum: 1,
      maximum: 5,
      default: 3,
    })
    expect(out).not.toContain('x-kubernetes')
  })
})
