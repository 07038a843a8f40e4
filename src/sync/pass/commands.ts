import type { Command, Ran } from '../host/commands.ts'
import type { Host } from '../host/host.ts'
import type { Action, TemplateResource } from '../resources/resource.ts'
import { expanded, type Paths } from './expanded.ts'
import { outputWithout } from './output-without.ts'

export interface Running {
  readonly resource: TemplateResource
  /** As the store has them, to be left out of what is logged. */
  readonly values: ReadonlyMap<string, string>
  readonly host: Host
  readonly signal: AbortSignal
}

/** Runs a check or a reload. SnapshotValues never enter a command line, and leave no trace in what is said of it. */
export async function run({ command, timeoutMs }: Action, paths: Paths, running: Running): Promise<Ran> {
  const { host, signal, resource, values } = running
  const line = expanded(command, paths)
  if (!line.ok) return { ok: false, why: `cannot be run: ${line.why}`, output: '' }
  const env = { CONFD_SRC: paths.src, CONFD_DEST: paths.dest }
  const ran = await host.run(line.command, { timeoutMs, env, signal })
  if (ran.ok) return ran
  const authored = [...wordsOf(line.command), await authoredIn(resource, host)]
  return { ...ran, output: outputWithout(ran.output, values.values(), authored) }
}

const wordsOf = (command: Command) => (typeof command === 'string' ? [command] : command)

async function authoredIn({ src }: TemplateResource, { files }: Host): Promise<string> {
  return (await files.read(src).catch(() => undefined))?.toString() ?? ''
}
