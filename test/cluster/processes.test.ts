import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processesIn } from './processes.ts'
import { until } from './until.ts'

let place: string
let folder: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'processes-'))
  folder = mkdtempSync(join(place, 'run-'))
})
afterEach(() => rmSync(place, { recursive: true }))

const sleeper = { name: 'sleeper', command: 'sleep', args: ['1000'] }
const pidOfSleeper = () => Number(readFileSync(join(folder, 'sleeper.pid'), 'utf8'))
const started = () => until('the sleeper has started', () => pidOfSleeper() > 0)

/** A dead orphan stays a zombie until process 1 gets round to it. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout !== '' && !stdout.startsWith('Z')
}

describe('processes', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)('end when ours is ended by %s', async (signal) => {
    const script = `
      const { processesIn } = await import('${new URL('processes.ts', import.meta.url)}')
      processesIn('${folder}', '${place}').keep(${JSON.stringify(sleeper)})`
    const ours = spawn(process.execPath, ['--input-type=module', '-e', script])
    await started()
    const pid = pidOfSleeper()
    ours.kill(signal)
    await once(ours, 'exit')
    await until('nothing is left', () => !isRunning(pid) && !existsSync(folder), { seconds: 5 })
  })

  it('end when they are closed, and their folder with them', async () => {
    const processes = processesIn(folder, place)
    processes.keep(sleeper)
    await started()
    const pid = pidOfSleeper()
    await processes.close()
    expect(isRunning(pid)).toBe(false)
    expect(existsSync(folder)).toBe(false)
  })

  it('start again when a signal ended them', async () => {
    const processes = processesIn(folder, place)
    processes.keep(sleeper)
    await started()
    const first = pidOfSleeper()
    process.kill(first, 'SIGKILL')
    await until('it runs again', () => pidOfSleeper() !== first && isRunning(pidOfSleeper()))
    await processes.close()
  })

  it('have failed when they end by themselves, and say why', async () => {
    const processes = processesIn(folder, place)
    processes.keep({ name: 'unlucky', command: 'sh', args: ['-c', 'echo no such flag >&2; exit 3'] })
    await until('it has failed', () => processes.failed.aborted)
    expect(processes.failed.reason).toMatchObject({ message: 'unlucky ended with code 3:\nno such flag' })
    await processes.close()
  })
})
