import { ENV_PREFIX, UsageError, VERSION } from '../config.ts'
import type { Family } from '../family.ts'
import { Fault, type FaultCode } from '../faults.ts'
import type { Chosen, Command, ExitCode, OwnWords, World } from './command.ts'
import { helpOn } from './help.ts'
import { chosenFrom, familyEntry, knownOf } from './known.ts'
import { type Settled, settled } from './settings.ts'

interface CommandEntry {
  readonly doc: string
  /** Loads the command lazily, so that a starting webhook does not load the code of a review. */
  readonly load: () => Promise<Command>
}

const COMMANDS: Commands = {
  webhook: {
    doc: 'serves reviews to an API server, over TLS',
    load: async () => (await import('./webhook.ts')).webhook,
  },
  worker: {
    doc: 'makes Services, workloads and records of TarsK8S objects, and keeps them so',
    load: async () => (await import('./worker.ts')).worker,
  },
  demo: {
    doc: 'serves reviews on an embedded cluster that holds the samples, and says what to try',
    load: async () => (await import('./demo.ts')).demo,
  },
  review: {
    doc: 'says what admission would say of objects in files, brought one after the other as by kubectl apply, or of a live cluster',
    load: async () => (await import('./review.ts')).review,
  },
  manifests: {
    doc: 'prints what to install, for kubectl apply -f -',
    load: async () => (await import('./manifests.ts')).manifests,
  },
  'certs status': {
    doc: 'says which certificates are in place, until when, and whether our webhooks trust them',
    load: async () => (await import('./certs-status.ts')).certsStatus,
  },
  check: {
    doc: 'tries the whole path, API server to webhook to answer, without storing anything',
    load: async () => (await import('./check.ts')).check,
  },
  'config print': {
    doc: 'prints the effective configuration, in the form that --config reads',
    load: async () => (await import('./config-print.ts')).configPrint,
  },
}

/** Reads its arguments itself, as confd does, and knows no family. */
const OWN_WORDS: Readonly<Record<string, OwnWordsEntry>> = {
  sync: {
    doc: 'renders files from a store, checks them, swaps them in and reloads: in place of confd, with its options',
    load: async () => (await import('./sync.ts')).sync,
  },
}
interface OwnWordsEntry {
  readonly doc: string
  readonly load: () => Promise<OwnWords>
}

type LoadFamilies = () => Promise<readonly Family[]>
/** All that there are: nothing else of src knows of webhooks/index.ts. */
const loadFamilies: LoadFamilies = async () => (await import('../../webhooks/index.ts')).families

export async function run(words: readonly string[], world: World, families = loadFamilies): Promise<ExitCode> {
  try {
    return await dispatch(words, world, families)
  } catch (error) {
    world.err(`tars-admission: ${saying(error)}\n`)
    return codeOf(error)
  }
}

async function dispatch(words: readonly string[], world: World, load: LoadFamilies): Promise<ExitCode> {
  const [first = ''] = words
  const apart = Object.hasOwn(OWN_WORDS, first) ? OWN_WORDS[first] : undefined
  if (apart !== undefined) return (await apart.load()).runWith(words.slice(1), world)
  const own = named(words, COMMANDS)
  const loading = load()
  const commands = own === undefined ? { ...COMMANDS, ...commandsOf(await loading) } : COMMANDS
  const found = own ?? named(words, commands)
  if (found === undefined) return overview(words, { ...commands, ...OWN_WORDS }, world)
  const { name, entry } = found
  const [command, all] = await Promise.all([entry.load(), loading])
  const args = words.slice(name.split(' ').length)
  const known = [...knownOf(all), ...(command.flags ?? []).map(familyEntry)]
  if (args.some(asksForHelp)) return help(name, { ...entry, ...command, known }, world)
  const { config, explicit, words: more } = await settledBy({ ...command, known }, args, world)
  return command.run(config, world, { families: chosenFrom(all, config), known, explicit, words: more })
}

type Commands = Readonly<Record<string, CommandEntry>>
type Described = Readonly<Record<string, { readonly doc: string }>>

/** A name has one word or two. */
function named(words: readonly string[], commands: Commands) {
  const names = [2, 1].map((many) => words.slice(0, many).join(' '))
  const name = names.find((each) => Object.hasOwn(commands, each))
  const entry = name === undefined ? undefined : commands[name]
  return name === undefined || entry === undefined ? undefined : { name, entry }
}

/** Those of all families, whichever of them run elsewhere. */
function commandsOf(families: readonly Family[]): Commands {
  const commands = families.flatMap(({ commands = [] }) => commands)
  return Object.fromEntries(
    commands.map((each) => [
      each.name,
      { doc: each.doc, load: async () => (await import('./of-family.ts')).commandOf(each) },
    ]),
  )
}

const asksForHelp = (word: string) => word === '--help' || word === '-h'

type KnownCommand = Command & Pick<Chosen, 'known'>

async function settledBy(command: KnownCommand, args: readonly string[], { env }: World): Promise<Settled> {
  const { settings: names, usual = {}, known, words } = command
  const namesFile = args.some((arg) => arg.startsWith('--config')) || env[`${ENV_PREFIX}CONFIG`] !== undefined
  const readFile = namesFile ? (await import('./settings-file.ts')).settingsIn : () => undefined // YAML takes its time
  return settled({ args, env, names, usual, known, readFile, takesWords: words !== undefined })
}

function overview([word = '--help', ...more]: readonly string[], all: Described, { out }: World): ExitCode {
  if (word === '--version') return done(VERSION, out)
  if (!asksForHelp(word)) throw new UsageError(unknown([word, ...more], all))
  const commands = Object.entries(all).map(([name, { doc }]) => `  ${name.padEnd(14)} ${doc}`)
  return done(`usage: tars-admission COMMAND [FLAGS]\n\n${commands.join('\n')}\n\n${MORE}`, out)
}
function done(text: string, out: World['out']): ExitCode {
  out(`${text}\n`)
  return 0
}
const MORE = `tars-admission COMMAND --help names its flags, tars-admission --version its version.
Exit codes: 0 done, 1 failed or refused, 2 wrong usage or a file that cannot be read, 3 could not say or start.`

function unknown(words: readonly string[], all: Described): string {
  const [word = ''] = words
  if (word.startsWith('-')) return `a command goes before ${word}; --help names the commands`
  const longer = Object.keys(all).filter((name) => name.startsWith(`${word} `))
  const meant =
    longer.length === 0 ? '--help names the commands' : `there is ${longer.map((name) => `"${name}"`).join(', ')}`
  return `there is no command "${word}"; ${meant}`
}

function help(name: string, command: CommandEntry & KnownCommand, { out }: World): ExitCode {
  const { doc, settings, usual, says, known, words } = command
  const flags = helpOn({ names: settings, known, ...(usual && { usual }), ...(says && { says }) })
  const usage = ['tars-admission', name, words, '[FLAGS]'].filter(Boolean).join(' ')
  return done(`usage: ${usage}\n${doc}\n\n${flags}\n\n${SOURCES}`, out)
}
const SOURCES = `… takes several: again, or separated by commas. Each may also stand in the environment (--log-level as
${ENV_PREFIX}LOG_LEVEL) or in the file of --config (log-level); flags win over the environment, it over the file.`

/** Our own sentences are for people; of any other error its stack says more. */
function saying(error: unknown): string {
  if (error instanceof UsageError || error instanceof Fault) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function codeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return 2
  if (!(error instanceof Fault)) return 1
  if (error.code === 'FILE_UNREADABLE' || error.code === 'USAGE') return 2
  return error.retry || KEEPS_FROM_STARTING.includes(error.code) ? 3 : 1
}
const KEEPS_FROM_STARTING: readonly FaultCode[] = ['ADDRESS_UNUSABLE', 'CERTIFICATE']
