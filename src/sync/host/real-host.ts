import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { systemClock } from '../../timing/clock.ts'
import { codeOf } from './error-code.ts'
import type { Host } from './host.ts'
import { realCommands } from './real-commands.ts'
import { realFiles } from './real-files.ts'

/** This machine. */
export const realHost: Host = {
  files: realFiles,
  run: realCommands(systemClock),
  clock: systemClock,
  uid: process.geteuid?.() ?? 0,
  gid: process.getegid?.() ?? 0,
  env: () => process.env,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  fileExists,
  async follow(folders, changed, signal) {
    const { watchSources } = await import('../stores/file/watching.ts')
    await watchSources({ files: folders, filter: '*', clock: systemClock, changed, signal })
  },
  token: () => randomBytes(6).toString('hex'),
}

/** What cannot be looked at may be there. */
function fileExists(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(codeOf(error))
  }
}
