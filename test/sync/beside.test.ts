import { describe, expect, it } from 'vitest'
import { besideConfd } from './beside.ts'
import { ALIKE } from './beside-alike.ts'
import { ONE } from './beside-case.ts'
import { DAEMONS, DIFFERS } from './beside-differing.ts'

// The same files, store and actions through the real confd and through ours. The store is the environment, which both
// read alike; what stores do differently is shown beside real stores.

/** Rules without a case, and where they are shown instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'SY-CLI-6': 'nodes and files are of other stores than the environment: test/src/sync/options',
  'SY-CLI-8': 'is of a later version',
  'SY-CLI-13': 'the words of a log are not compared: test/src/sync/pass',
  'SY-EXIT-8': 'a store that is away needs one that can be: test/src/sync/pass, and the suites of the stores',
  'SY-EXIT-9': 'confd ends wherever it is, so there is nothing to compare: test/src/commands/sync.test.ts',
  'SY-EXIT-10': 'confd dies of the signal: test/src/commands/sync.test.ts',
  'SY-RES-5': 'needs a daemon and a change: test/src/sync/loop',
  'SY-PIPE-2': 'one read for all shows in a store alone: test/src/sync/pass',
  'SY-PIPE-3': 'a template that sees no more than its keys: test/src/sync/pass',
  'SY-PIPE-10': 'needs a mount: test/src/sync/pass',
  'SY-PIPE-12': 'confd keeps a file of a random name: test/src/sync/pass',
  'SY-PIPE-14': 'needs a change of the environment of a process: test/src/commands/sync.test.ts',
  'SY-PIPE-15': 'needs a store that sends word: test/src/sync/loop',
  'SY-PIPE-18': 'is of a later version',
}

const ids = (part: string, many: number) => Array.from({ length: many }, (_, i) => `SY-${part}-${i + 1}`)
const RULES = [ids('CLI', 13), ids('EXIT', 10), ids('RES', 11), ids('PIPE', 18)].flat()

it('every rule of options, exit codes, resources and the pass has a case, or says where it is shown', () => {
  const named = [...ALIKE, ...DIFFERS, ...DAEMONS].flatMap(({ name }) => name.match(/SY-[A-Z]+-\d+/g) ?? [])
  expect(RULES.filter((id) => !named.includes(id) && ELSEWHERE[id] === undefined)).toEqual([])
  expect(named.filter((id) => ELSEWHERE[id] !== undefined)).toEqual([])
})

const onetime = ({ args = [], ...given }: Parameters<typeof besideConfd>[0]) =>
  besideConfd({ ...ONE, ...given, args: ['-onetime', ...args] })

describe('beside the real confd: alike', () => {
  it.each(ALIKE)('$name', async ({ given, left }) => {
    expect(await onetime(given)).toEqual({ confd: left, ours: left })
  })
})

describe('beside the real confd: different on purpose', () => {
  it.each(DIFFERS)('$name', async ({ given, confd, ours }) => {
    expect(await onetime(given)).toEqual({ confd, ours })
  })
  it.each(DAEMONS)('$name', async ({ given, confd, ours }) => {
    expect(await besideConfd({ ...ONE, ...given })).toEqual({ confd, ours })
  })
})
