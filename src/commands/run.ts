import { ENV_PREFIX, UsageError, VERSION } from '../config.ts'
import type { Family } from '../family.ts'
import { Fault, type FaultCode } from '../faults.ts'
import type { Chosen, Command, ExitCode, OwnWords, World } from './command.ts'
import type { Completed } from './completed.ts'
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
  explain: {
    doc: 'says of a rule what it checks, why, and what helps, with a bad and a good example',
    load: async () => (await import('./explain.ts')).explain,
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

/** They read their arguments themselves. */
const OWN_WORDS: Readonly<Record<string, OwnWordsEntry>> = {
  sync: {
    doc: 'renders files from a store, checks them, swaps them in and reloads: in place of confd, with its options',
    load: async () => (await import('./sync.ts')).sync,
  },
  completion: {
    doc: 'prints what bash, zsh or fish needs to complete commands and flags',
    load: async (all) => (await import('./completion.ts')).completion(all),
  },
}
type All = () => Promise<readonly Completed[]>
interface OwnWordsEntry {
  readonly doc: string
  readonly load: (all: All) => Promise<OwnWords>
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
  const [first = '', ...others] = words
  if (first === 'help') return dispatch([...others, '--help'], world, load)
  const apart = Object.hasOwn(OWN_WORDS, first) ? OWN_WORDS[first] : undefined
  if (apart !== undefined) return (await apart.load(allOf(load))).runWith(others, world)
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

/** As a shell completes them, with their flags. */
const allOf = (load: LoadFamilies) => async (): Promise<readonly Completed[]> => {
  const [families, { flagsOf }] = await Promise.all([load(), import('./completed.ts')])
  const usual = Object.entries({ ...COMMANDS, ...commandsOf(families) }).map(async ([name, { doc, load }]) => {
    return { name, doc, flags: flagsOf(await load(), families) }
  })
  const apart = Object.entries(OWN_WORDS).map(async ([name, entry]) => {
    const { completes } = await entry.load(allOf(load))
    return { name, doc: entry.doc, ...completes }
  })
  return Promise.all([...usual, ...apart])
}

const asksForHelp = (word: string) => word === '--help' || word === '-h'

type KnownCommand = Command & Pick<Chosen, 'known'>

async function settledBy(command: KnownCommand, args: readonly string[], { env }: World): Promise<Settled> {
  const { settings: names, usual = {}, known, words } = command
  const namesFile = args.some((arg) => arg.startsWith('--config')) || env[`${ENV_PREFIX}CONFIG`] !== undefined
  const readFile = namesFile ? (await import('./settings-file.ts')).settingsIn : () => undefined // YAML takes its time
  return settled({ args, env, names, usual, known, readFile, takesWords: words !== undefined })
}

/** Of all commands, or of those that begin with one word. */
function overview(words: readonly string[], all: Described, { out }: World): ExitCode {
  const [word = '--help', ...more] = words
  if (word === '--version') return done(VERSION, out)
  if (asksForHelp(word)) return done(tableOf('COMMAND', all), out)
  const group = Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith(`${word} `)))
  const isAsked = more.length === 0 || more.some(asksForHelp)
  if (Object.keys(group).length === 0 || !isAsked) throw new UsageError(unknown(words, all))
  return done(tableOf(`${word} COMMAND`, group), out)
}
function tableOf(usage: string, commands: Described): string {
  const lines = Object.entries(commands).map(([name, { doc }]) => `  ${name.padEnd(14)} ${doc}`)
  return `usage: tars-admission ${usage} [FLAGS]\n\n${lines.join('\n')}\n\n${MORE}`
}
function done(text: string, out: World['out']): ExitCode {
  out(`${text}\n`)
  return 0
}
const MORE = `tars-admission help COMMAND names its flags, tars-admission --version its version.
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
