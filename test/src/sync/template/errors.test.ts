import { describe, expect, it } from 'vitest'
import { printed } from '../../../support/builders/surroundings.ts'

describe('SY-ERR-2: an error leaves no output', () => {
  it('also when much was printed before', () => {
    expect(() => printed('much {{range seq 1 9}}{{.}}{{end}}{{getv "/nope"}}')).toThrow('key does not exist: /nope')
  })
})

describe('errors of JSON have the words of Go (SY-ERR-1)', () => {
  it.each([
    ['-', "invalid character ' ' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e', "invalid character ' ' in exponent of numeric literal"],
    ['"\\H"', "invalid character 'H' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['[1', 'unexpected end of JSON input'],
    ['{"a', 'unexpected end of JSON input'],
    ['nul!', "invalid character '!' in literal null (expecting 'l')"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
  ])('%s', (json, expected) => {
    expect(() => printed(`{{json (getv "/j")}}`, { store: { '/j': json } })).toThrow(`error calling json: ${expected}`)
  })
})

describe('what may be logged of an error has no value of the store', () => {
  it.each([
    ['{{atoi (getv "/secret")}}', 'strconv.Atoi: invalid syntax'],
    ['{{parseBool (getv "/secret")}}', 'strconv.ParseBool: invalid syntax'],
    ['{{range (getv "/secret")}}{{end}}', "range can't iterate over string"],
    ['{{json (getv "/secret")}}', 'error calling json: invalid character looking for beginning of value'],
    ['{{$x := split (getv "/secret") ","}}{{eq $x $x}}', 'non-comparable type []string'],
    ['{{eq (split (getv "/secret") ",") (map)}}', 'non-comparable types []string, map[string]interface {}'],
    ['{{jsonArray (getv "/number")}}', 'json: cannot unmarshal number into Go value of type float64'],
  ])('%s', (template, expected) => {
    const store = { '/secret': 'hunter2', '/number': '[1e999]' }
    try {
      printed(template, { store })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ loggable: expect.stringContaining(expected) })
      expect(error).toMatchObject({ loggable: expect.not.stringMatching(/hunter2|1e999/) })
    }
  })
})
