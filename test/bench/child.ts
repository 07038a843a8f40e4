import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { imageFlags } from '../support/image.ts'

/** In the child: says where it listens, and on every message how much CPU it has used so far, in microseconds. */
export function answerToParent(port: number): void {
  const used = () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  process.on('message', () => process.send?.(used()))
  process.once('disconnect', () => process.exit())
  process.send?.(port)
}

export interface Contender {
  readonly port: number
  cpu(): Promise<number>
  /** Bytes in memory. */
  rss(): number
  stop(): void
}

/** In the parent. It ends with us, whatever happens: it has nobody to answer to any more. */
export async function contender(script: string, ...args: readonly string[]): Promise<Contender> {
  const child = fork(new URL(script, import.meta.url), args, { stdio: 'inherit', execArgv: [...imageFlags()] })
  const said = async () => Number((await once(child, 'message'))[0])
  return {
    port: await said(),
    cpu() {
      const answer = said()
      child.send('cpu')
      return answer
    },
    rss: () => memoryOf(child.pid, 'VmRSS'),
    stop: () => child.disconnect(),
  }
}

/** In bytes, as the kernel counts: VmRSS is what is there now, VmHWM the most there ever was. */
export function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024
}

/** What a child has to tell before it ends; one that fails before is an error. */
export async function told(script: string, ...args: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const child = fork(new URL(script, import.meta.url), args, { stdio: 'inherit', execArgv: [...imageFlags()] })
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${script} ended with ${code}`)))
  const [figures] = await Promise.race([once(child, 'message'), failed])
  child.kill()
  await failed.catch(() => {})
  return figures
}
