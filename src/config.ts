import { parseArgs } from 'node:util'
import { choice, flag, integer, type JsonSchema, list, object, type Shape, text, validator } from './schema.ts'

/** Wrong usage: the message says which setting, where it came from and what it takes. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const port = (doc: string, usual: number) => integer({ doc, default: usual, minimum: 0, maximum: 65_535 })
const texts = (doc: string) => list(text({ doc }), { doc, default: [] })

const settings = object(
  {
    logLevel: choice(['debug', 'info', 'warn', 'error', 'silent'], { default: 'info', doc: 'how much goes to stderr' }),
    profile: choice(['seed', 'upstream'], {
      default: 'seed',
      doc: 'whose word counts where seed and deployed TarsK8S differ',
    }),
    cluster: choice(['kube', 'memory'], { default: 'kube', doc: 'the cluster to look things up in' }),
    namespace: text({ default: 'tars-system', doc: 'namespace of the installation; for review, of the objects' }),
    seed: texts('file or folder of objects that the memory cluster starts with, kept word for word'),
    host: text({ default: '0.0.0.0', doc: 'address to listen on' }),
    port: port('port for reviews; 0 takes a free one', 9443),
    metricsPort: port('port for /metrics; 0 takes a free one', 8080),
    healthPort: port('port for /livez and /readyz; 0 takes a free one', 8081),
    certs: choice(['self', 'files', 'secret'], { default: 'self', doc: 'where the serving certificate comes from' }),
    manageConfigurations: flag({ default: false, doc: 'write caBundle into our webhook configurations' }),
    enforce: choice(['refuse', 'warn'], { default: 'refuse', doc: 'refuse bad objects, or only warn of them' }),
    controllers: texts('user that counts as a controller of ours, beside our own service accounts'),
    file: texts('file or folder of objects to review'),
    operation: choice(['apply', 'CREATE', 'UPDATE', 'DELETE'], {
      default: 'apply',
      doc: 'what is done with the objects',
    }),
    user: text({ default: 'kubernetes-admin', doc: 'who asks' }),
    group: texts('group of the user'),
    output: choice(['text', 'json'], { default: 'text', doc: 'form of the answer' }),
    set: choice(['all', 'crds', 'rbac', 'webhooks', 'workloads'], { default: 'all', doc: 'what to print' }),
    image: text({ default: 'tars-admission:0.1.0', doc: 'image of the workloads' }),
    kubeVersion: text({
      default: '1.30',
      pattern: '^v?1\\.\\d+(\\.\\d+)?$',
      doc: 'oldest Kubernetes that it must suit',
    }),
  },
  {
    config: text({ doc: 'YAML file with settings, by the names of the flags' }),
    kubeconfig: text({ doc: 'as kubectl takes it; a pod takes its service account' }),
    certDir: text({ doc: 'folder of tls.crt, tls.key, ca.crt; with --certs self, ca.crt is written there' }),
    webhookUrl: text({ pattern: '^https://', doc: 'URL by which the API server reaches us, instead of our Service' }),
    old: text({ doc: 'file of the objects as they were before' }),
    server: text({ pattern: '^https://', doc: 'ask this server instead of the code in this process' }),
    ca: text({ doc: 'file of the certificate that the server, or the API server, is to trust' }),
  },
)
export type Config = Readonly<Shape<typeof settings>>
export type Name = keyof Config

const FIELDS: Readonly<Record<string, JsonSchema>> = settings.json.properties ?? {}
const isName = (name: string): name is Name => Object.hasOwn(FIELDS, name)
export const NAMES: readonly Name[] = Object.keys(FIELDS).filter(isName)
const SHORT: Readonly<Record<string, string>> = { file: 'f', output: 'o' }
export const ENV_PREFIX = 'TARS_ADMISSION_'
const EVERYWHERE: readonly Name[] = ['config', 'logLevel']

type Raw = Readonly<Record<string, unknown>>
export interface Sources {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads the file that `--config` names. */
  readonly readFile: (path: string) => unknown
  /** What the command may be told, and where its own defaults differ. */
  readonly names: readonly Name[]
  readonly usual?: Partial<Config>
}

/** Flags go before the environment, that before the file, that before the defaults (CV-5). */
export function configFrom({ args, env, readFile, names, usual = {} }: Sources): Config {
  const flags = flagsOf(args, [...EVERYWHERE, ...names])
  const variables = variablesOf(env)
  const { config: path } = { ...variables, ...flags }
  const written = typeof path === 'string' ? keysOf(readFile(path), path) : {}
  const config = { ...DEFAULTS, ...usual, ...written, ...variables, ...flags }
  if (!isConfig(config)) throw new UsageError('the settings do not fit together') // each was checked as it was read
  return Object.freeze(config)
}

const whole = validator(settings.json)
const isConfig = (value: unknown): value is Config => whole(value)
const DEFAULTS: Raw = Object.fromEntries(
  Object.entries(FIELDS).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
)

function flagsOf(args: readonly string[], names: readonly Name[]): Raw {
  const options = Object.fromEntries(names.map((name) => [flagOf(name), optionOf(name)]))
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false })
    const told = names.map((name) => [name, values[flagOf(name)]] as const).filter(([, raw]) => raw !== undefined)
    return Object.fromEntries(told.map(([name, raw]) => [name, read(name, raw, `--${flagOf(name)}`)]))
  } catch (cause) {
    throw cause instanceof UsageError ? cause : new UsageError(sayOf(cause), { cause })
  }
}

function optionOf(name: Name) {
  const { type } = FIELDS[name] ?? {}
  const short = SHORT[name]
  const kind = type === 'boolean' ? ('boolean' as const) : ('string' as const)
  return { type: kind, ...(type === 'array' && { multiple: true }), ...(short !== undefined && { short }) }
}

function variablesOf(env: Sources['env']): Raw {
  const ours = Object.entries(env).filter(([key, raw]) => key.startsWith(ENV_PREFIX) && raw !== undefined)
  return Object.fromEntries(ours.map(([key, raw]) => [known(key, envOf, key), read(known(key, envOf, key), raw, key)]))
}

function keysOf(content: unknown, path: string): Raw {
  if (content === null || content === undefined) return {}
  if (typeof content !== 'object' || Array.isArray(content)) throw new UsageError(`${path} must hold settings by name`)
  return Object.fromEntries(
    Object.entries(content).map(([key, raw]) => {
      const name = known(key, flagOf, `${key} in ${path}`)
      return [name, read(name, raw, `${key} in ${path}`)]
    }),
  )
}

function known(key: string, spell: (name: string) => string, what: string): string {
  const name = Object.keys(FIELDS).find((each) => spell(each) === key)
  if (name === undefined) throw new UsageError(`${what} is no setting; "tars-admission config print" shows them all`)
  return name
}

/** One setting, from whatever form its source has. */
function read(name: string, raw: unknown, from: string): unknown {
  const field = FIELDS[name] ?? { type: 'string' }
  const value = field.type === 'array' ? severalOf(raw) : oneOf(field, raw)
  if (!validator(field)(value)) throw new UsageError(`${from} takes ${takes(field)}, not "${String(raw)}"`)
  return value
}

function severalOf(raw: unknown): unknown {
  return [raw].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : [each]))
}
function oneOf({ type }: JsonSchema, raw: unknown): unknown {
  if (type === 'integer' && typeof raw === 'string' && raw.trim() !== '') return Number(raw)
  if (type === 'boolean' && (raw === 'true' || raw === 'false')) return raw === 'true'
  return raw
}

function takes({ type, enum: of, minimum, maximum, pattern }: JsonSchema): string {
  if (of !== undefined) return `one of ${of.join(', ')}`
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  if (type === 'boolean') return 'true or false'
  return pattern === undefined ? 'a text' : `a text like ${pattern}`
}

export function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
function envOf(name: string): string {
  return ENV_PREFIX + flagOf(name).replaceAll('-', '_').toUpperCase()
}
function sayOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** A line a flag, for --help. */
export function helpOn(names: readonly Name[], usual: Partial<Config> = {}): string {
  return [...names, ...EVERYWHERE].map((name) => helpLine(name, { ...DEFAULTS, ...usual }[name])).join('\n')
}
function helpLine(name: Name, usual: unknown): string {
  const { description = '', enum: of, type } = FIELDS[name] ?? {}
  const short = SHORT[name] === undefined ? '' : `-${SHORT[name]}, `
  const value =
    type === 'boolean'
      ? ''
      : ` ${of?.join('|') ?? type?.toUpperCase().replace('STRING', 'TEXT').replace('ARRAY', 'TEXT …')}`
  const otherwise = usual === undefined || usual === false || String(usual) === '' ? '' : ` (${String(usual)})`
  return `  ${`${short}--${flagOf(name)}${value}`.padEnd(44)} ${description}${otherwise}`
}
/** The effective configuration, by the names of the flags. */
export function spelled(config: Config): Raw {
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [flagOf(name), value]))
}
