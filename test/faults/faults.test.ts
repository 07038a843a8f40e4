import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const NAMES = 'idle-gaps, burst, slow-callers, plain-ports, bodies, overload, slow-look-ups, renewals, soak'

describe('what the drivers do not take', () => {
  it.each([
    {
      name: 'a soak of no number',
      words: ['--soak', 'abc'],
      why: '--soak takes a number of seconds above 0, and not "abc"',
    },
    { name: 'a soak of no time', words: ['--soak', '0'], why: '--soak takes a number of seconds above 0, and not "0"' },
    {
      name: 'a driver that there is not',
      words: ['--quick', '--only', 'burst', '--only', 'flood'],
      why: `--only takes the name of a driver, and "flood" is none in the quick form; there are ${NAMES}`,
    },
  ])('$name', ({ words, why }) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['test/faults/faults.ts', ...words], SPAWNED)
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: `${why}\n` })
  })
})

const SPAWNED = { encoding: 'utf8', timeout: 30_000 } as const
