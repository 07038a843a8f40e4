import type { Command, Ran } from '../host/commands.ts'
import type { Host } from '../host/host.ts'
import type { Action, TemplateResource } from '../resources/resource.ts'
import { expanded, type Paths } from './expanded.ts'
import { type Known, shownOutput } from './shown-output.ts'

export interface Running {
  readonly resource: TemplateResource
  readonly host: Host
  readonly signal: AbortSignal
}

/** Runs a check or a reload. Values never enter a command line, and leave no trace in what is said of it. */
export async function run({ command, timeoutMs }: Action, paths: Paths, running: Running): Promise<Ran> {
  const { host, signal } = running
  const line = expanded(command, paths)
  if (!line.ok) return { ok: false, why: `cannot be run: ${line.why}`, output: '' }
  const env = { CONFD_SRC: paths.src, CONFD_DEST: paths.dest }
  const ran = await host.run(line.command, { timeoutMs, env, signal })
  if (ran.ok) return ran
  return { ...ran, output: shownOutput(ran.output, await knownOf(line.command, paths, running)) }
}

async function knownOf(command: Command, { src, dest }: Paths, { resource, host }: Running): Promise<Known> {
  const words = typeof command === 'string' ? [command] : command
  return {
    written: [...words, (await textOf(resource.src, host)) ?? ''],
    paths: [src, dest, resource.src],
    rendered: await textOf(src, host),
  }
}

/** A larger file is not looked through for the sake of a log. */
const LARGEST = 1_048_576

async function textOf(path: string, { files }: Host): Promise<string | undefined> {
  try {
    const look = await files.look(path)
    return look === undefined || look.size > LARGEST ? undefined : (await files.read(path))?.toString()
  } catch {
    return undefined
  }
}
