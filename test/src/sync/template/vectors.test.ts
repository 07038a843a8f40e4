import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../../../src/sync/template/bytes.ts'
import { parse, render } from '../../../../src/sync/template/template.ts'
import { TemplateError } from '../../../../src/sync/template/template-error.ts'
import { type AnyValue, Dict, type Evaluated, Sized, Slice } from '../../../../src/sync/template/values.ts'

interface Vector {
  readonly name: string
  readonly template: string
  readonly data: unknown
  readonly store?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly now?: string
  readonly missingkey?: 'error'
  readonly expected?: string
  readonly expectedEncoding?: 'latin1'
  readonly error?: string
  readonly errorTail?: string
  readonly phase?: 'parse' | 'exec'
  readonly source: 'oracle' | 'derived'
}

const VECTORS: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/gotemplate-vectors.json', import.meta.url), 'utf8'),
)

/** lookupIP and its like are not supported yet; the vector says what they are going to give. */
const LATER = ['confd/lookupIP-literal']

describe('the vectors of Go and confd (SY-TEST-1)', () => {
  it('are all there', () => expect(VECTORS.length).toBe(317))

  it.each(VECTORS.filter(({ name }) => !LATER.includes(name)))('$name', (vector) => {
    const { expected, expectedEncoding = 'utf8', errorTail, phase, error, source } = vector
    const outcome = outcomeOf(vector)
    if (expected !== undefined) expect(outcome).toEqual(Buffer.from(expected, expectedEncoding))
    else {
      expect(outcome).toBeInstanceOf(TemplateError)
      expect(outcome).toMatchObject({ phase, message: expect.stringContaining(errorTail ?? '?') })
      if (source === 'oracle')
        expect(outcome).toMatchObject({ message: expect.stringMatching(startsWith(error ?? '?')) })
    }
  })

  it.each(VECTORS.filter(({ name }) => LATER.includes(name)))('$name is told to be later', (vector) => {
    expect(outcomeOf(vector)).toMatchObject({
      phase: 'parse',
      message: 'template: output:1: function "lookupIP" not supported yet',
    })
  })
})

function outcomeOf({
  template,
  data,
  store = {},
  env = {},
  now = '2020-01-01T00:00:00Z',
  missingkey,
}: Vector): unknown {
  const values = new Map(Object.entries(store).map(([key, value]) => [bytesOf(key), bytesOf(value)]))
  const surroundings = { values, env, now: new Date(now), timeZone: 'UTC', fileExists: () => false }
  try {
    const parsed = parse('output', Buffer.from(template))
    return render(parsed, surroundings, { dot: dotOf(data), strict: missingkey === 'error' })
  } catch (error) {
    return error
  }
}

const dotOf = (data: unknown): Evaluated => heldOf(data) ?? undefined

/** As the vectors say: integers are an int64 of Go, other numbers a float64. */
function heldOf(json: unknown): AnyValue {
  if (typeof json === 'string') return bytesOf(json)
  if (typeof json === 'number')
    return Number.isInteger(json) && Math.abs(json) < 1e15 ? new Sized('int64', BigInt(json)) : json
  if (typeof json === 'boolean' || json === null || json === undefined) return json ?? null
  if (Array.isArray(json)) return new Slice('[]interface {}', json.map(heldOf))
  return new Dict(new Map(Object.entries(json).map(([key, value]) => [bytesOf(key), heldOf(value)])))
}

/** Since Go 1.24 comparisons that fail also name the types. */
const startsWith = (text: string) => new RegExp(`^${RegExp.escape(text)}`)
