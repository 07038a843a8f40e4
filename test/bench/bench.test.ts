import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../support/folders.ts'
import { ALL } from './all.ts'

/** A build asks for these beside Go. */
const COMMANDS = ['sh', 'rm', 'cat', 'sleep']
const NODE_PATCHES = ['PATCH-T-40', 'PATCH-T-41', 'PATCH-T-42', 'PATCH-T-43', 'PATCH-T-44', 'PATCH-T-45']
const NEEDS_GO = ['PF-18', 'PF-14', 'PF-16', 'PF-17', 'PF-10', 'PF-6', 'sync']
/** All of one measurement. */
const ON_A_CLUSTER = ['PATCH-T-40', 'PATCH-T-41', 'PATCH-T-44', 'PATCH-T-45']

describe('npm run bench', () => {
  it('measures node patches: PATCH-T-40, PATCH-T-41, PATCH-T-42, PATCH-T-43, PATCH-T-44 and PATCH-T-45', () => {
    const measured = ALL.flatMap(({ ids }) => ids)
    expect(NODE_PATCHES.filter((id) => !measured.includes(id))).toEqual([])
  })

  it('leaves out what needs Go where Go is not installed, says so, and goes on (PF-18)', {
    timeout: 60_000,
  }, async () => {
    const folder = folderOf()
    for (const command of COMMANDS) symlinkSync(join('/bin', command), join(folder, command))
    const env = { ...process.env, PATH: folder, XDG_CACHE_HOME: folder, KUBEBUILDER_ASSETS: '' }
    const args = ['test/bench/bench.ts', '--quick', '--only', [...NEEDS_GO, 'PATCH-T-44'].join()]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    const rows = stdout.split('\n').filter((line) => /^\| (P[AF]|sync)/.test(line))
    const rowOf = (id: string) =>
      new RegExp(`^\\| ${id} \\| .* \\| not measured \\| there is no Go to build .*: install Go 1\\.26 or newer`)
    expect(rows).toEqual([...NEEDS_GO, ...ON_A_CLUSTER].map((id) => expect.stringMatching(rowOf(id))))
  })
})
