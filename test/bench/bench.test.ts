import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../support/folders.ts'

/** A build asks for these beside Go. */
const COMMANDS = ['sh', 'rm', 'cat', 'sleep']
const NEEDS_GO = ['PF-18', 'PF-14', 'PF-16', 'PF-17', 'PF-10', 'PF-6']

describe('npm run bench', () => {
  it('leaves out what needs Go where Go is not installed, says so, and goes on (PF-18)', {
    timeout: 60_000,
  }, async () => {
    const folder = folderOf()
    for (const command of COMMANDS) symlinkSync(join('/bin', command), join(folder, command))
    const env = { ...process.env, PATH: folder, XDG_CACHE_HOME: folder, KUBEBUILDER_ASSETS: '' }
    const args = ['test/bench/bench.ts', '--quick', '--only', NEEDS_GO.join()]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    const rows = stdout.split('\n').filter((line) => line.startsWith('| PF-'))
    const rowOf = (id: string) =>
      new RegExp(`^\\| ${id} \\| .* \\| not measured \\| there is no Go to build .*: install Go 1\\.26 or newer`)
    expect(rows).toEqual(NEEDS_GO.map((id) => expect.stringMatching(rowOf(id))))
  })
})
