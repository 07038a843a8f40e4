import { describe, expect, it } from 'vitest'
import { weightOf } from '../../../../src/http/intake/weight.ts'

const MIB = 1024 * 1024
const filled = (unit: string, bytes: number) => `[${Array(Math.floor(bytes / (unit.length + 1))).fill(unit)}]`
const keyed = (bytes: number) => `{${Array.from({ length: bytes / 8 }, (_, i) => `"${i.toString(36)}":0`)}}`
const quoted = (unit: string, bytes: number) => JSON.stringify(unit.repeat(bytes / unit.length))

describe('what is parsed out of a body takes', () => {
  it.each([
    { name: 'empty objects', text: filled('{}', MIB), least: 20 },
    { name: 'arrays in arrays', text: filled('[[[[]]]]', MIB), least: 22 },
    { name: 'objects with indexes for keys', text: filled('{"999":0}', MIB), least: 15 },
    { name: 'numbers', text: filled('0.5', MIB), least: 6 },
    { name: 'one object of many keys', text: keyed(MIB), least: 14 },
    { name: 'one object of many keys that does not end', text: keyed(MIB).slice(0, -1), least: 14 },
    { name: 'anything at all, in a small body', text: filled('{}', 1_024), least: 22 },
  ])('at least $least times its bytes, for $name', ({ text, least }) => {
    expect(weightOf(text) / text.length).toBeGreaterThanOrEqual(least)
  })

  it.each([
    { name: 'a long text', text: quoted('async-invoke-timeout=5000\n', MIB) },
    { name: 'text that looks like JSON', text: quoted('{"a":[],"b":{}},', MIB) },
    { name: 'text that ends in backslashes', text: `["${'\\\\'.repeat(MIB)}"]` },
    { name: 'text of quotes and backslashes', text: quoted('\\",{', MIB) },
    { name: 'a string that does not end', text: `["${'{'.repeat(MIB)}` },
  ])('next to nothing, for $name', ({ text }) => {
    expect(weightOf(text)).toBeLessThan(500)
  })

  it('the keys of an object count together, whatever stands between them', () => {
    const half = (name: string) => Array.from({ length: 900 }, (_, i) => `"${name.repeat(100)}${i}":0`)
    expect(weightOf(`{${[...half('a'), '"between":{}', ...half('b')]}}`)).toBeGreaterThan(1_800 * 150)
  })

  it('no more for keys of many objects than for their values: they share them', () => {
    const objects = filled('{"a":0,"b":0}', MIB)
    expect(weightOf(objects)).toBe(weightOf(objects.replaceAll(':', ' ')))
  })

  it('what it would with no string before', () => {
    const objects = filled('{}', MIB)
    expect(weightOf(`{"a":"\\\\","b":"\\\\\\"","c":${objects}}`) - weightOf(objects)).toBeLessThan(500)
  })
})
