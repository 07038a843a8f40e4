import { describe, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import type { Tree } from '../../../src/schema.ts'
import { type Level, logTo } from '../../../src/telemetry/log.ts'

const SECRET = 'hunter2'

function logged(fields: object, level: Level = 'info'): Tree {
  let text = '{}'
  logTo({ write: (line) => (text = line) }, level).warn(fields, 'said')
  const { time: _, ...line } = JSON.parse(text)
  return line
}

describe('a line of the log (OB-2)', () => {
  it('has the fields that may be logged, and no others', () => {
    const fields = {
      uid: 'u',
      kind: 'TAccount',
      password: SECRET,
      token: SECRET,
      object: { spec: SECRET },
      spec: SECRET,
    }
    expect(logged(fields)).toEqual({ level: 'warn', uid: 'u', kind: 'TAccount', msg: 'said' })
  })

  it('has its time, and nothing of the machine', () => {
    const lines: string[] = []
    logTo({ write: (line) => lines.push(line) }, 'info').info({}, 'said')
    expect(Object.keys(JSON.parse(lines[0] ?? '{}'))).toEqual(['level', 'time', 'msg'])
  })

  it('cuts a name that is none', () => {
    expect(logged({ name: 'x'.repeat(10_000), user: 'ann' })).toMatchObject({
      name: `${'x'.repeat(512)}…`,
      user: 'ann',
    })
  })

  it('is one line, whatever is in it', () => {
    const lines: string[] = []
    logTo({ write: (line) => lines.push(line) }, 'info').info({ name: 'a\n{"level":60}' }, 'said')
    expect(lines.join('').match(/\n/g)).toHaveLength(1)
  })

  it('is not written below its level', () => {
    expect(logged({}, 'error')).toEqual({})
    expect(logged({}, 'silent')).toEqual({})
  })
})

describe('an error in the log', () => {
  function throwing(message: string, more: object = {}, options?: ErrorOptions): Error {
    return Object.assign(new TypeError(message, options), more)
  }
  const err = (error: unknown) => logged({ err: error }).err

  it('that is not ours is its class, its code and where it was: its message may quote what it was given', () => {
    const shown = err(throwing(`bad value ${SECRET}`, { code: 'ERR_BAD', value: SECRET }))
    expect(shown).toEqual({ class: 'TypeError', code: 'ERR_BAD', frames: expect.any(Array) })
    expect(JSON.stringify(shown)).toContain('log.test.ts')
    expect(JSON.stringify(shown)).not.toContain(SECRET)
  })

  it('of ours says its message, and of its cause no more than the kind', () => {
    const cause = throwing(SECRET, { code: 'ECONNREFUSED' })
    expect(err(new Fault('CLUSTER_UNREACHABLE', 'cannot list TTemplates', { cause }))).toEqual({
      class: 'Fault',
      code: 'CLUSTER_UNREACHABLE',
      message: 'cannot list TTemplates',
      cause: { class: 'TypeError', code: 'ECONNREFUSED' },
      frames: expect.any(Array),
    })
  })

  it.each([
    { name: 'a message with lines like frames', error: throwing(`x\n    at ${SECRET}\n    at ${SECRET} (a.js:1:1)`) },
    {
      name: 'a message that was changed since',
      error: Object.assign(throwing(`x\n    at ${SECRET}`), { message: 'y' }),
    },
    { name: 'a code with a sentence in it', error: throwing('', { code: `rejected ${SECRET}` }) },
    { name: 'a cause with a cause', error: throwing('', {}, { cause: throwing(SECRET, {}, { cause: SECRET }) }) },
    { name: 'several errors in one', error: new AggregateError([throwing(SECRET)], SECRET) },
    { name: 'a text', error: SECRET },
    { name: 'an object', error: { message: SECRET } },
  ])('tells nothing: $name', ({ error }) => expect(JSON.stringify(err(error))).not.toContain(SECRET))
})
