import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { imageEnv, imageFlags } from '../support/image.ts'

type Question = 'cpu' | 'gap'

/** In the child: says where it listens, and from then on answers what its parent wants to know. */
export function answerToParent(port: number): void {
  const gaps = monitorEventLoopDelay({ resolution: 1 }) // not before it is asked for: it costs a timer
  const answers = {
    cpu() {
      const { user, system } = process.cpuUsage()
      return user + system
    },
    gap() {
      gaps.enable()
      const { max } = gaps
      gaps.reset()
      return max / 1e6
    },
  }
  process.on('message', (question: Question) => process.send?.(answers[question]()))
  process.once('disconnect', () => process.exit())
  process.send?.(port)
}

export interface Contender {
  readonly port: number
  /** Used so far, in microseconds. */
  cpu(): Promise<number>
  /** The longest of the event loop since it was asked last, in milliseconds; the first answer says nothing. */
  gap(): Promise<number>
  /** Bytes in memory. */
  rss(): number
  stop(): void
}

/** In the parent. It ends with us, whatever happens: it has nobody to answer to any more. */
export function contender(script: string, ...args: readonly string[]): Promise<Contender> {
  return contenderIn(forked(script, args))
}

export async function contenderIn(child: ChildProcess): Promise<Contender> {
  const shown = async () => Number((await once(child, 'message'))[0])
  const ask = (question: Question) => {
    const answer = shown()
    child.send(question)
    return answer
  }
  const failed = endOf(child)
  const port = await Promise.race([shown(), failed])
  failed.catch(() => {}) // it is stopped in the end
  return {
    port,
    cpu: () => ask('cpu'),
    gap: () => ask('gap'),
    rss: () => memoryOf(child.pid, 'VmRSS'),
    stop: () => child.disconnect(),
  }
}

function forked(script: string, args: readonly string[]): ChildProcess {
  const env = { ...process.env, ...imageEnv() }
  return fork(new URL(script, import.meta.url), args, { stdio: 'inherit', execArgv: [...imageFlags()], env })
}

async function endOf(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`${child.spawnargs.at(1)} ended with ${code}`)
}

/** In bytes, as the kernel counts: VmRSS is what is there now, VmHWM the most there ever was. */
export function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024
}

/** The CPU time of a process in microseconds, which the kernel counts in hundredths of a second. */
export function cpuTimeOf(pid: number | undefined): number {
  const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = afterName.split(' ').slice(11) // utime and stime
  return (Number(user) + Number(system)) * 10_000
}

/** What a child has to tell before it ends; one that fails before is an error. */
export async function reported(script: string, ...args: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const child = forked(script, args)
  const failed = endOf(child)
  const [figures] = await Promise.race([once(child, 'message'), failed])
  child.kill()
  await failed.catch(() => {})
  return figures
}
