import { describe, expect, it } from 'vitest'
import { printed } from '../../../support/builders/surroundings.ts'

describe('SY-ERR-2: an error leaves no output', () => {
  it('also when much was printed before', () => {
    expect(() => printed('much {{range seq 1 9}}{{.}}{{end}}{{getv "/nope"}}')).toThrow('key does not exist: /nope')
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
