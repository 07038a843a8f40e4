import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { systemClock } from '../../timing/clock.ts'
import { codeOf, isMissing } from './error-code.ts'
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
  token: () => process.pid.toString(16).padStart(6, '0') + randomBytes(3).toString('hex'),
  isOther: (pid) => pid !== process.pid && isRunning(pid),
}

/** One of another user may not be signalled, and runs. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** What cannot be looked at may be there. */
function fileExists(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    return !isMissing(error)
  }
}
