import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/sync/template/limits.ts'
import { TemplateError } from '../../../../src/sync/template/template-error.ts'
import { printed } from '../../../support/builders/surroundings.ts'

/** Without the limit of time, which a busy machine reaches first. */
const UNTIMED = { ...LIMITS, cpuMsNow: () => 0 }
const MOST_CPU_MS = 10_000
const TOO_EXPENSIVE = /template too expensive: /
const CALLS_ITSELF = '{{define "T"}}{{template "T"}}{{end}}{{template "T"}}'
/** Doubles a value again and again. */
const DOUBLES = '{{$x := "ab"}}{{range seq 1 40}}{{$x = printf "%s%s" $x $x}}{{end}}'

describe('SY-LIM-1: what is too expensive ends in an error', () => {
  it.each([
    {
      what: 'a template that calls itself',
      template: CALLS_ITSELF,
      why: 'more than 1000 template calls in each other',
    },
    { what: 'calls beneath control structures', template: nestedCalls(100), why: 'more than 1000 template calls' },
    { what: 'too many rounds', template: '{{range 9000000000000000000}}{{end}}', why: 'more than 5000000 steps' },
    { what: 'rounds in rounds', template: rounds(9), why: 'more than' },
    {
      what: 'too much output',
      template: '{{range 2000}}{{printf "%10000d" 1}}{{end}}',
      why: 'an output of more than 16777216',
    },
    { what: 'a value that doubles', template: DOUBLES, why: 'a value of more than 16777216 bytes' },
    { what: 'a text replaced by longer ones', template: grown('replace'), why: 'more than' },
    { what: 'many values kept', template: kept(), why: 'values of more than 268435456 bytes' },
    { what: 'a sequence without an end', template: '{{seq 1 9223372036854775807}}', why: 'more than 100000 numbers' },
    {
      what: 'widths in a list',
      template: '{{printf "%10000d" (seq 1 100000)}}',
      why: 'a value of more than 16777216 bytes',
    },
    {
      what: 'JSON that is too deep',
      template: `{{jsonArray "${'['.repeat(2_000)}"}}`,
      why: 'JSON nested more than 1000 deep',
    },
    {
      what: 'values that are too deep',
      template: '{{$m := map}}{{range 5000}}{{$m = map "k" $m}}{{end}}{{$m}}',
      why: 'values nested more than 1000 deep',
    },
  ])('$what', ({ template, why }) => {
    const from = process.threadCpuUsage()
    const outcome = outcomeOf(template)
    const { user, system } = process.threadCpuUsage(from)
    expect(outcome).toBeInstanceOf(TemplateError)
    expect(outcome).toMatchObject({ message: expect.stringMatching(TOO_EXPENSIVE) })
    expect(outcome).toMatchObject({ message: expect.stringContaining(why) })
    expect((user + system) / 1_000).toBeLessThan(MOST_CPU_MS)
  })

  it('an output of 16 MiB passes, and not a byte more', () => {
    const mebibyte = `{{range 104}}{{printf "%010000d" 0}}{{end}}${'0'.repeat(1024 * 1024 - 1_040_000)}`
    const template = `{{range 16}}${mebibyte}{{end}}`
    expect(printed(template).length).toBe(LIMITS.outputBytes)
    expect(() => printed(`${template}!`)).toThrow('an output of more than 16777216 bytes')
  })

  it('1,000 calls in each other pass, and not one more', () => {
    const depth = (calls: number) =>
      `{{define "T"}}{{if lt . ${calls}}}{{template "T" (add . 1)}}{{end}}{{end}}{{template "T" 1}}ok`
    expect(printed(depth(1_000))).toBe('ok')
    expect(() => printed(depth(1_001))).toThrow('more than 1000 template calls in each other')
  })

  it('the time that it takes is looked at again and again', () => {
    let now = 0
    const limits = { ...LIMITS, cpuMsNow: () => (now += 100) }
    expect(() => printed('{{range 1000000}}{{end}}', { options: { limits } })).toThrow('more than 2000 ms')
    expect(printed('{{range 1000}}{{end}}ok', { options: { limits } })).toBe('ok')
  })

  it.each([
    { what: 'control structures', open: '{{if 1}}', close: '{{end}}' },
    { what: 'ranges', open: '{{range 1}}', close: '{{end}}' },
    { what: 'parentheses', open: '{{', nested: '(', middle: '1', unnested: ')', close: '}}' },
  ])('200 $what in each other pass, and not one more', ({ open, close, nested, middle = '', unnested = '' }) => {
    const of = (depth: number) =>
      nested === undefined
        ? open.repeat(depth) + close.repeat(depth)
        : open + nested.repeat(depth) + middle + unnested.repeat(depth) + close
    expect(() => printed(of(200))).not.toThrow()
    expect(() => printed(of(201))).toThrow(TemplateError)
    expect(() => printed(of(20_000))).toThrow(TemplateError)
  })

  it('a chain of else if is as long as it likes', () => {
    const chain = (last: string) => `{{if 0}}{{range 1}}{{end}}${'{{else if 0}}'.repeat(10_000)}{{else}}${last}{{end}}`
    expect(printed(chain('ok'))).toBe('ok')
  })
})

function nestedCalls(structures: number): string {
  return `{{define "T"}}${'{{if 1}}'.repeat(structures)}{{template "T"}}x${'{{end}}x'.repeat(structures)}{{end}}{{template "T"}}`
}

const rounds = (depth: number) => '{{range 100}}'.repeat(depth) + '{{end}}'.repeat(depth)

const grown = (name: string) => `{{$x := "a"}}{{range 40}}{{$x = ${name} $x "a" "aa" -1}}{{end}}`

/** Values of 4 MB, each one of its own, each kept by the next. */
function kept(): string {
  return `{{$m := map}}{{$big := "ab"}}{{range 21}}{{$big = print $big $big}}{{end}}{{range 900}}{{$m = map "m" $m "v" (print . $big)}}{{end}}`
}

function outcomeOf(template: string): unknown {
  try {
    return printed(template, { options: { limits: UNTIMED } })
  } catch (error) {
    return error
  }
}
