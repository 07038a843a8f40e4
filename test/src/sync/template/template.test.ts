import { describe, expect, it } from 'vitest'
import { MOST_SOURCE_BYTES } from '../../../../src/sync/template/limits.ts'
import { parse, render } from '../../../../src/sync/template/template.ts'

const surroundings = { values: new Map(), env: {}, now: new Date(0), timeZone: 'UTC', fileExists: () => false }

describe('SY-FN-3 the functions of a template are chosen', () => {
  const ofConfd = ['{{getenv "HOME"}}', '{{fileExists "/"}}', '{{toUpper "a"}}', '{{datetime}}', '{{getv "/k" "d"}}']
  const refused = (functions: 'go' | 'confd' | 'stranger') =>
    ofConfd.filter((text) => {
      try {
        parse('a.tmpl', Buffer.from(text), functions)
        return false
      } catch {
        return true
      }
    })

  it('those of commands have none of confd, those of a stranger none that tell of the machine', () => {
    expect(refused('confd')).toEqual([])
    expect(refused('go')).toEqual(ofConfd)
    expect(refused('stranger')).toEqual(ofConfd.slice(0, 2))
  })
  it('one that is left out is not defined', () => {
    expect(() => parse('a.tmpl', Buffer.from('{{getenv "HOME"}}'), 'stranger')).toThrow('function "getenv" not defined')
  })
})

describe('a template (SY-TPL-3)', () => {
  it('is bytes, and those outside of actions are printed as they are', () => {
    const source = Buffer.from([0x7b, 0x20, 0x7d, 0x7d, 0x0a, 0x00, 0xff, 0xc3, 0xa9])
    expect(Buffer.from(render(parse('a.tmpl', source), surroundings))).toEqual(source)
  })

  it('of more than 1 MiB is refused (SY-LIM-1)', () => {
    expect(() => parse('a.tmpl', Buffer.alloc(MOST_SOURCE_BYTES))).not.toThrow()
    expect(() => parse('a.tmpl', Buffer.alloc(MOST_SOURCE_BYTES + 1))).toThrow(
      'template: a.tmpl:1: the template is larger',
    )
  })
})
