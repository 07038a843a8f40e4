import { describe, expect, it } from 'vitest'
import { effectOf } from '../../../src/admission/rule.ts'
import { sentence, words } from '../../../src/admission/verdict.ts'
import { aRule } from '../../support/builders/gadgets.ts'

describe('what is said of a violation', () => {
  const violation = { path: 'spec.levels[a]', value: 9, rule: aRule() }

  it('is complete without the path, and ends with the rule id (SV-9)', () => {
    expect(words(violation)).toBe('9 is too high; take a lower one (XX-V1)')
  })

  it('is a sentence with it (W-13)', () => {
    expect(sentence(violation)).toBe('spec.levels[a]: 9 is too high; take a lower one (XX-V1)')
  })

  it('is said in the words of the rule that found it, and names both', () => {
    const through = aRule({ id: 'YY-V2', message: ({ value }) => `${value} is odd`, remedy: 'even it' })
    expect(words({ ...violation, through })).toBe('9 is odd; even it (XX-V1, YY-V2)')
  })

  it('ends with the remedy for that very finding', () => {
    const rule = aRule({ remedy: ({ value }) => `take one below ${value}` })
    expect(words({ ...violation, rule })).toBe('9 is too high; take one below 9 (XX-V1)')
  })

  it('says in a dry run that what the same file creates is not there, where that may be what is missed', () => {
    const rule = aRule({ refers: true })
    const shown =
      '9 is too high; take a lower one; in a dry run, as of kubectl diff, what the same file creates is not there (XX-V1)'
    expect(words({ ...violation, rule }, { dryRun: true })).toBe(shown)
    expect(words({ ...violation, rule: aRule(), through: rule }, { dryRun: true })).toContain('in a dry run')
    expect(words({ ...violation, rule })).toBe('9 is too high; take a lower one (XX-V1)')
    expect(words(violation, { dryRun: true })).toBe('9 is too high; take a lower one (XX-V1)')
  })

  it('names the object that is not deleted', () => {
    const deleted = { deleted: 'Gadget demo/a' }
    expect(words(violation, deleted)).toBe('Gadget demo/a: 9 is too high; take a lower one (XX-V1)')
    expect(sentence(violation, deleted)).toBe('spec.levels[a]: Gadget demo/a: 9 is too high; take a lower one (XX-V1)')
  })

  it('names a rule once that found it itself', () => {
    const rule = aRule()
    expect(words({ ...violation, rule, through: rule })).toBe('9 is too high; take a lower one (XX-V1)')
  })
})

describe('what a rule does', () => {
  const byProfile = { seed: 'refuse', upstream: 'warn' } as const
  it.each([
    { name: 'refuses when nothing is said', rule: aRule(), seed: 'refuse', upstream: 'refuse' },
    { name: 'warns everywhere', rule: aRule({ effect: 'warn' }), seed: 'warn', upstream: 'warn' },
    { name: 'differs by profile', rule: aRule({ effect: byProfile }), seed: 'refuse', upstream: 'warn' },
  ])('$name', ({ rule, seed, upstream }) => {
    expect([effectOf(rule, 'seed'), effectOf(rule, 'upstream')]).toEqual([seed, upstream])
  })
})
