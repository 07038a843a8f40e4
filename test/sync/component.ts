import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Ended, type Program, pidIn, processesIn } from '../cluster/processes.ts'
import { until } from '../cluster/until.ts'

/** A real program beside a test. It ends with the test, and its folder goes. */
export interface Component {
  readonly folder: string
  start(): Promise<void>
  /** SIGKILL, as by a machine that fails. */
  kill(): Promise<void>
  signal(signal: NodeJS.Signals): void
  pid(): number
  /** Its end, when it ends by itself. */
  ended(): Promise<Ended>
}

interface Making {
  readonly name: string
  readonly program: (folder: string) => Omit<Program, 'name'>
  readonly isReady: () => Promise<boolean>
}

export async function startComponent({ name, program, isReady }: Making): Promise<Component> {
  const place = mkdtempSync(join(tmpdir(), `tars-admission-${name}-`))
  const [folder, logs] = [join(place, 'run'), join(place, 'logs')]
  for (const path of [folder, logs]) mkdirSync(path)
  const processes = processesIn(folder, logs)
  onTestFinished(async () => {
    await processes.close()
    rmSync(place, { recursive: true, force: true })
  })
  let running: Promise<Ended> | undefined

  const component: Component = {
    folder,
    async start() {
      const failed = new AbortController()
      running = processes.run({ name, ...program(folder) })
      running.then(
        ({ words }) => failed.abort(new Error(`${name} ended:\n${words}`)),
        (cause) => failed.abort(cause),
      )
      await until(`${name} is ready`, isReady, { seconds: 30, unless: failed.signal })
    },
    async kill() {
      processes.signal(name, 'SIGKILL')
      await running
    },
    signal: (signal) => processes.signal(name, signal),
    pid() {
      const pid = pidIn(folder, name)
      if (pid === undefined) throw new Error(`${name} does not run`)
      return pid
    },
    ended() {
      if (running === undefined) throw new Error(`${name} was never started`)
      return running
    },
  }
  await component.start()
  return component
}
