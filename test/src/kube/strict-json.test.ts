import { describe, expect, it } from 'vitest'
import { parsedStrictly } from '../../../src/kube/strict-json.ts'

describe('JSON with a key twice in one object is refused', () => {
  it.each([
    { json: '{"a":1,"a":1}', key: 'a' },
    { json: '[{"a":{"b":1,"c":"}","b":[]}}]', key: 'b' },
    { json: '{"a":1,"\\u0061":2}', key: 'a' },
    { json: '{"a\\"b":1,"x":[{"a\\"b":1}],"a\\"b":2}', key: 'a\\"b' },
    { json: '{"__proto__":1,"__proto__":2}', key: '__proto__' },
  ])('$json', ({ json, key }) => {
    expect(parsedStrictly(json)).toEqual({ problem: `duplicate key "${key}"` })
  })

  it.each(['{"a":"a","b":"a"}', '{"a":{"a":{"a":[{"a":1},{"a":2}]}}}', '["a",":","a",":"]', '"\\\\"', '{}', '7'])(
    '%s has none',
    (json) => {
      expect(parsedStrictly(json)).toEqual({ value: JSON.parse(json) })
    },
  )

  it.each(['', '[', "{'a': 1}", '[1,]', '// nothing', 'a: 1'])('%s is no JSON, as its parser says', (json) => {
    expect(parsedStrictly(json)).toEqual({ problem: expect.stringMatching(/JSON/) })
  })

  it('takes linear time and no stack, however deep or long', () => {
    const deep = `${'['.repeat(120_000)}${']'.repeat(120_000)}`
    const long = JSON.stringify(['"\\'.repeat(60_000)])
    for (const json of [deep, long, `{"a":1${',"b":"\\\\'.repeat(20_000)}`]) {
      const before = performance.now()
      parsedStrictly(json)
      expect(performance.now() - before).toBeLessThan(1_000)
    }
  })
})
