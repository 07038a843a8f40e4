import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { lint } from '../../../../webhooks/nacos/config/lint.ts'
import { mergedOf, SHAPES } from '../../../support/nacos-shapes/shapes.ts'

const MOST_MS = 100

describe('a source of 1 MB', () => {
  it.each(SHAPES)('of $name is normalised, and data as any other', ({ text, merged = text, held, codes = [] }) => {
    const result = mergedOf(text)
    const said = 'hold' in result ? result.message : result.text
    expect(said === (held ?? `# ===== User Configuration =====\n${merged}\n`)).toBe(true)
    expect([...new Set(lint(text).map(({ code }) => code))]).toEqual(codes)
  })

  it(`is linted and merged within ${MOST_MS} ms, whatever its shape`, () => {
    const timed = ['test/support/nacos-shapes/timed.ts', `${MOST_MS}`]
    const printed = execFileSync(process.execPath, timed, { encoding: 'utf8' })
    const times = Object.entries<number>(JSON.parse(printed))
    expect(times.map(([name]) => name)).toEqual(SHAPES.map(({ name }) => name))
    expect(times.filter(([, ms]) => ms > MOST_MS)).toEqual([])
  }, 60_000)
})
