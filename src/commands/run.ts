import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Config, configFrom, helpOn, UsageError } from '../config.ts'
import { Fault } from '../faults.ts'
import type { Command, ExitCode, World } from './command.ts'

/** Loaded when asked for: a webhook that starts does not wait for what only a review needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  webhook: async () => (await import('./webhook.ts')).webhook,
  demo: async () => (await import('./demo.ts')).demo,
  review: async () => (await import('./review.ts')).review,
  manifests: async () => (await import('./manifests.ts')).manifests,
  'config print': async () => (await import('./config-print.ts')).configPrint,
}

export async function run(words: readonly string[], world: World): Promise<ExitCode> {
  try {
    return await dispatch(words, world)
  } catch (error) {
    world.err(`tars-admission: ${saying(error)}\n`)
    return codeOf(error)
  }
}

async function dispatch(words: readonly string[], world: World): Promise<ExitCode> {
  const name = [2, 1].map((many) => words.slice(0, many).join(' ')).find((each) => Object.hasOwn(COMMANDS, each))
  const load = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || load === undefined) return overview(words, world)
  const command = await load()
  const args = words.slice(name.split(' ').length)
  if (args.includes('--help')) return help(name, command, world)
  return command.run(configOf(command, args, world), world)
}

function configOf({ settings, usual = {} }: Command, args: readonly string[], { env }: World): Config {
  return configFrom({ args, env, names: settings, usual, readFile: settingsIn })
}

function settingsIn(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new UsageError(`${path} cannot be read as YAML`, { cause })
  }
}

async function overview([word = '--help']: readonly string[], { out }: World): Promise<ExitCode> {
  if (word !== '--help') throw new UsageError(`there is no command "${word}"; --help names them`)
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => `  ${name.padEnd(14)} ${(await load()).doc}`),
  )
  out(
    `usage: tars-admission COMMAND [FLAGS]\n\n${commands.join('\n')}\n\ntars-admission COMMAND --help names its flags\n`,
  )
  return 0
}

function help(name: string, { doc, settings, usual }: Command, { out }: World): ExitCode {
  out(`usage: tars-admission ${name} [FLAGS]\n${doc}\n\n${helpOn(settings, usual)}\n`)
  return 0
}

/** Our own sentences are for people; of any other error its stack says more. */
function saying(error: unknown): string {
  if (error instanceof UsageError || error instanceof Fault) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return 2
  if (!(error instanceof Fault)) return 1
  if (error.code === 'FILE_UNREADABLE') return 2
  return error.retry ? 3 : 1
}
