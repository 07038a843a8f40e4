import { describe, expect, it } from 'vitest'
import { canonical } from '../../../src/kube/canonical-json.ts'

describe('PATCH-HASH-1 canonical JSON', () => {
  it.each([
    { value: { b: [1.5, null, 'é'], a: 1, é: false }, json: '{"a":1,"b":[1.5,null,"é"],"é":false}' },
    { value: { '\u{1f600}': 1, '\ufb33': 2, 10: 3, 9: 4 }, json: '{"10":3,"9":4,"\u{1f600}":1,"\ufb33":2}' },
    { value: [1e21, 1e-7, -0, 1.0, 333333333.3333333], json: '[1e+21,1e-7,0,1,333333333.3333333]' },
    { value: ['\u0000\b\n"\\/'], json: '["\\u0000\\b\\n\\"\\\\/"]' },
    { value: { a: undefined, b: {} }, json: '{"b":{}}' },
    { value: JSON.parse('{"__proto__":{"b":1,"a":2}}'), json: '{"__proto__":{"a":2,"b":1}}' },
  ])('$json', ({ value, json }) => {
    expect(canonical(value)).toBe(json)
  })
})
