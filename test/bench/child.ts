import { fork } from 'node:child_process'
import { once } from 'node:events'

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
  stop(): void
}

/** In the parent. It ends with us, whatever happens: it has nobody to answer to any more. */
export async function contender(script: string, ...args: readonly string[]): Promise<Contender> {
  const child = fork(new URL(script, import.meta.url), args, { stdio: 'inherit' })
  const said = async () => Number((await once(child, 'message'))[0])
  return {
    port: await said(),
    cpu() {
      const answer = said()
      child.send('cpu')
      return answer
    },
    stop: () => child.disconnect(),
  }
}
