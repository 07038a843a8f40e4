import { unreadable } from '../host/error-code.ts'
import { type InFile, optionsIn, unknownKey } from './config-file.ts'
import { type Env, optionsInEnv } from './environment.ts'
import { flagsIn, type Given } from './flags.ts'
import { OPTIONS, Options } from './options.ts'
import { problemsOf } from './problems.ts'
import { usage, versionLine } from './usage.ts'

export interface Asked {
  readonly args: readonly string[]
  readonly env: Env
  /** The text of a file; `undefined` where there is none. It rejects when a file cannot be read. */
  readonly readFile: (path: string) => Promise<string | undefined>
  readonly version: string
}

/** Either what to run with, or how it ends before anything runs. */
export type Settled =
  | { readonly do: 'run'; readonly options: Options; readonly warnings: readonly string[] }
  | { readonly do: 'end'; readonly code: 0 | 1 | 2; readonly out?: string; readonly err?: string }

/** Flags win over the environment, it over confd.toml (SY-CLI-1). Help and version end before any file is read. */
export async function settled({ args, env, readFile, version }: Asked): Promise<Settled> {
  const flags = flagsIn(args)
  if (flags.is === 'help') return { do: 'end', code: 0, out: usage() }
  if (flags.is === 'wrong') return { do: 'end', code: 2, err: `${flags.why}\n${usage()}` }
  if (new Options(flags.given).of(OPTIONS.version)) return { do: 'end', code: 0, out: versionLine(version) }
  const inEnv = optionsInEnv(env)
  if (inEnv.wrong.length > 0) return refused(inEnv.wrong)
  const file = await configFile([inEnv.given, flags.given], readFile)
  if ('why' in file) return refused([file.why])
  const problems = file.wrong.map((each) => `${file.path}: ${each}`)
  if (problems.length > 0) return refused(problems)
  const options = together([file.given, inEnv.given, flags.given], env)
  const said = problemsOf(options)
  if (said.wrong.length > 0) return refused(said.wrong)
  const unknown = file.unknown.map((key) => `${file.path}: ${unknownKey(key)}`)
  return { do: 'run', options, warnings: [...unknown, ...said.warnings] }
}

const refused = (why: readonly string[]): Settled => ({ do: 'end', code: 1, err: why.join('\n') })

/** The last layer wins. */
function together(layers: readonly Given[], { ETCDCTL_PEERS = '' }: Env): Options {
  const given = new Map(layers.flatMap((each) => [...each]))
  const options = new Options(given)
  const { backend, nodes } = OPTIONS
  if (ETCDCTL_PEERS === '' || options.of(backend) !== 'etcd' || options.of(nodes).length > 0) return options
  return new Options(given.set(nodes, nodes.kind.ofText(ETCDCTL_PEERS)))
}

interface NoFile {
  readonly why: string
}

/** The usual one may be missing; one that is named may not (SY-CLI-3). */
async function configFile(
  layers: readonly Given[],
  readFile: Asked['readFile'],
): Promise<NoFile | (InFile & { readonly path: string })> {
  const named = new Options(new Map(layers.flatMap((each) => [...each])))
  const path = named.of(OPTIONS.configFile)
  const isNamed = layers.some((given) => given.has(OPTIONS.configFile))
  try {
    const text = await readFile(path)
    if (text !== undefined) return { ...optionsIn(text), path }
    return isNamed ? { why: `${path}: there is no such file` } : { ...optionsIn(''), path }
  } catch (error) {
    return { why: `${path} ${unreadable(error)}` }
  }
}
