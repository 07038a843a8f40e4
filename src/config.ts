import { parseArgs } from 'node:util'
import { choice, flag, integer, type JsonSchema, list, object, type Shape, text, validator } from './schema.ts'

/** Wrong usage: the message says which setting, where it came from and what it takes. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What a text stands for: a word in --help, a sentence where it does not fit. */
const FORMS = {
  FILE: { pattern: '\\S', says: 'a file' },
  DIR: { pattern: '\\S', says: 'a folder' },
  'FILE|DIR': { pattern: '\\S', says: 'a file or folder' },
  HOST: { pattern: '^[^\\s/]+$', says: 'an address like 127.0.0.1' },
  URL: { pattern: '^https://[^/?#@\\s]+(/[^?#\\s]*)?$', says: 'a URL that begins with https://' },
  NAMESPACE: { pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$', says: 'a namespace like tars-system' },
  NAME: { pattern: '\\S', says: 'a name' },
  WORD: { pattern: '^[A-Za-z0-9_-]{16,128}$', says: 'a word of 16 to 128 letters, digits, - and _' },
  IMAGE: { pattern: '^\\S+$', says: 'an image like registry/tars-admission:1.0' },
  VERSION: { pattern: '^v?1\\.\\d{1,3}(\\.\\d{1,3})?$', says: 'a version like 1.30' },
} as const
type Form = keyof typeof FORMS

const word = (form: Form, limits: { readonly doc: string; readonly default?: string }) => ({
  ...text({ ...limits, pattern: FORMS[form].pattern }),
  form,
})
const words = (form: Form, doc: string) => ({
  ...list(text({ doc, pattern: FORMS[form].pattern }), { doc, default: [] }),
  form,
})
const port = (usual: number, doc: string) =>
  integer({ doc: `${doc}; 0 takes a free one`, default: usual, minimum: 0, maximum: 65_535 })

const ALWAYS = {
  logLevel: choice(['debug', 'info', 'warn', 'error', 'silent'], { default: 'info', doc: 'how much goes to stderr' }),
  profile: choice(['seed', 'upstream'], {
    default: 'seed',
    doc: 'whose word counts where seed and deployed TarsK8S differ',
  }),
  cluster: choice(['kube', 'memory'], {
    default: 'kube',
    doc: 'where to look things up: a real cluster, or an own one',
  }),
  namespace: word('NAMESPACE', { default: 'tars-system', doc: 'namespace of the installation' }),
  seed: words('FILE|DIR', 'objects that the memory cluster holds from the start, word for word'),
  host: word('HOST', { default: '0.0.0.0', doc: 'address to listen on' }),
  port: port(9443, 'port of reviews'),
  metricsPort: port(8080, 'port of /metrics'),
  healthPort: port(8081, 'port of /livez and /readyz'),
  certs: choice(['self', 'files', 'secret'], {
    default: 'self',
    doc: 'serving certificate: by our own CA, from --cert-dir, or from the Secret',
  }),
  manageConfigurations: flag({ default: false, doc: 'write caBundle into our webhook configurations' }),
  drainSeconds: integer({
    doc: 'how long to serve on after a signal to end, while callers move on',
    default: 10,
    minimum: 0,
    maximum: 60,
  }),
  enforce: choice(['refuse', 'warn'], { default: 'refuse', doc: 'refuse bad objects, or only warn of them' }),
  bcryptCost: integer({ doc: 'cost of the bcrypt hash of a TAccount password', default: 10, minimum: 4, maximum: 12 }),
  enforceReleaseLimit: flag({ doc: 'cut the releases of a TImage to recordLimit', default: true }),
  deletionGuardSeconds: integer({
    doc: 'age from which an active TConfig may be deleted',
    default: 0,
    minimum: 0,
    maximum: 86_400,
  }),
  controllers: words('NAME', 'users that count as controllers of ours, beside our own service accounts'),
  clientNames: words(
    'NAME',
    'who of --client-ca may ask, all when empty; those with a comma only in a list of --config',
  ),
  file: words('FILE|DIR', 'objects to review, in this order'),
  operation: choice(['apply', 'CREATE', 'UPDATE', 'DELETE'], {
    default: 'apply',
    doc: 'what is done with them; apply creates or updates',
  }),
  user: word('NAME', { default: 'kubernetes-admin', doc: 'who asks' }),
  group: words('NAME', 'groups of that user'),
  fromCluster: flag({ default: false, doc: 'review what a live cluster holds, before admission is installed there' }),
  output: choice(['text', 'json'], { default: 'text', doc: 'form of the answer' }),
  set: choice(['all', 'crds', 'rbac', 'webhooks', 'workloads'], { default: 'all', doc: 'which of the manifests' }),
  image: word('IMAGE', { default: 'tars-admission:0.1.0', doc: 'image of the workloads' }),
  wait: integer({ default: 0, minimum: 0, maximum: 86_400, doc: 'seconds to go on trying; else it tries once' }),
  kubeVersion: word('VERSION', { default: '1.30', doc: 'oldest Kubernetes that they must suit' }),
}
const AT_WILL = {
  config: word('FILE', { doc: 'settings in YAML, by the names of the flags' }),
  kubeconfig: word('FILE', { doc: 'which cluster and who we are there; in a pod its service account is enough' }),
  certDir: word('DIR', { doc: 'tls.crt, tls.key and ca.crt; unless they come from there, ca.crt is written there' }),
  webhookUrl: word('URL', { doc: 'where the API server reaches us, instead of our Service' }),
  clientCa: word('FILE', { doc: 'certificate of the CA that whoever asks for reviews must have one of' }),
  secretPath: word('WORD', { doc: 'a word that stands before the paths of reviews, known to callers alone' }),
  old: word('FILE', { doc: 'the objects as they were before' }),
  server: word('URL', { doc: 'ask this server, which looks things up in its own cluster' }),
  ca: word('FILE', { doc: 'certificate of the CA of that server' }),
}
const settings = object(ALWAYS, AT_WILL)
export type Config = Readonly<Shape<typeof settings>>
export type Name = keyof Config

interface Setting {
  readonly json: JsonSchema
  readonly form?: Form
}
/** What the rules of kinds may be told. */
export const OF_RULES = [
  'profile',
  'controllers',
  'bcryptCost',
  'enforceReleaseLimit',
  'deletionGuardSeconds',
] as const satisfies readonly Name[]

const SETTINGS: Readonly<Record<Name, Setting>> = { ...ALWAYS, ...AT_WILL }
const isName = (name: string): name is Name => Object.hasOwn(SETTINGS, name)
export const NAMES: readonly Name[] = Object.keys(SETTINGS).filter(isName)
const isList = (name: Name) => SETTINGS[name].json.type === 'array'

const SHORT: Readonly<Partial<Record<Name, string>>> = { file: 'f', output: 'o' }
const EVERYWHERE: readonly Name[] = ['config', 'logLevel']
export const ENV_PREFIX = 'TARS_ADMISSION_'

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

export function configFrom(sources: Sources): Config {
  return settled(sources).config
}

export interface Settled {
  readonly config: Config
  /** Of those, what somebody said: where a default and its own word are not the same. */
  readonly told: ReadonlySet<Name>
}

/** Flags go before the environment, that before the file, that before the defaults (CV-5). */
export function settled({ args, env, readFile, names, usual = {} }: Sources): Settled {
  const flags = flagsOf(args, [...EVERYWHERE, ...names])
  const variables = variablesOf(env)
  const { config: path } = { ...variables, ...flags }
  const written = typeof path === 'string' ? keysOf(readFile(path), path) : {}
  const said = { ...written, ...variables, ...flags }
  const config = { ...DEFAULTS, ...usual, ...said }
  if (!isConfig(config)) throw new UsageError('the settings do not fit together') // each was checked as it was read
  for (const value of Object.values(config)) Object.freeze(value)
  return { config: Object.freeze(config), told: new Set(Object.keys(said).filter(isName)) }
}

const whole = validator(settings.json)
const isConfig = (value: unknown): value is Config => whole(value)
const DEFAULTS: Raw = Object.fromEntries(
  NAMES.flatMap((name) => (SETTINGS[name].json.default === undefined ? [] : [[name, SETTINGS[name].json.default]])),
)

function flagsOf(args: readonly string[], names: readonly Name[]): Raw {
  const told = [...wordsByFlag(args, names)]
  return Object.fromEntries(
    told.map(([name, texts]) => [name, read(name, isList(name) ? texts.join() : texts.at(-1), `--${flagOf(name)}`)]),
  )
}

/** Words after the value of a list belong to it as well: a shell spreads `-f *.yaml`. */
function wordsByFlag(args: readonly string[], names: readonly Name[]): ReadonlyMap<Name, readonly string[]> {
  const options = Object.fromEntries(names.map((name) => [flagOf(name), optionOf(name)]))
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const told = new Map<Name, readonly string[]>()
  let last: Name | undefined
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'option') last = flagged(token, names)
    else if (last === undefined || !isList(last))
      throw new UsageError(`"${token.value}" belongs to no flag; --help names the flags`)
    told.set(last, [...(told.get(last) ?? []), token.kind === 'option' ? wordOf(last, token) : token.value])
  }
  return told
}

function optionOf(name: Name) {
  const short = SHORT[name]
  const type = SETTINGS[name].json.type === 'boolean' ? ('boolean' as const) : ('string' as const)
  return { type, ...(short !== undefined && { short }) }
}

interface Token {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function flagged({ name: flag, rawName }: Token, names: readonly Name[]): Name {
  const name = names.find((each) => flagOf(each) === flag)
  if (name === undefined) throw new UsageError(`${rawName} is no flag of this command; --help names its flags`)
  return name
}

function wordOf(name: Name, { rawName, value, inlineValue = false }: Token): string {
  if (SETTINGS[name].json.type === 'boolean') return value ?? 'true'
  const isNextFlag = !inlineValue && value?.startsWith('-') === true
  if (value === undefined || isNextFlag) throw new UsageError(`${rawName} takes ${takes(name)}, and nothing follows it`)
  return rawName.startsWith('--') ? value : value.replace(/^=/, '') // -o=json, as kubectl takes it
}

/** An empty variable is one that is not set. */
function variablesOf(env: Sources['env']): Raw {
  const ours = Object.entries(env).filter(([key, raw]) => key.startsWith(ENV_PREFIX) && raw)
  return Object.fromEntries(
    ours.map(([key, raw]) => {
      const name = known(key, envOf, key)
      return [name, read(name, raw, key)]
    }),
  )
}

function keysOf(content: unknown, path: string): Raw {
  if (content === null || content === undefined) return {}
  if (typeof content !== 'object' || Array.isArray(content))
    throw new UsageError(`${path} must hold settings by name, like "port: 9443"`)
  return Object.fromEntries(
    Object.entries(content).map(([key, raw]) => {
      const name = known(key, keyOf, `${key} in ${path}`)
      return [name, read(name, raw, `${key} in ${path}`)]
    }),
  )
}
/** A file does not name another one. */
const keyOf = (name: Name) => (name === 'config' ? undefined : flagOf(name))

function known(key: string, spell: (name: Name) => string | undefined, what: string): Name {
  const name = NAMES.find((each) => spell(each) === key)
  if (name === undefined) throw new UsageError(`${what} is no setting; "tars-admission config print --help" names them`)
  return name
}

/** One setting, from whatever form its source has. */
function read(name: Name, raw: unknown, from: string): unknown {
  const { json } = SETTINGS[name]
  const single = (each: unknown) => {
    const value = typed(each, json)
    if (!fits(name, value))
      throw new UsageError(`${from} takes ${takes(name)}${SECRET.includes(name) ? '' : `, not ${shown(each)}`}`)
    return value
  }
  return isList(name) ? severalOf(raw).map(single) : single(raw)
}

/** By the schema of the whole, which is compiled once; and what no pattern says: a port of six digits makes no URL. */
function fits(name: Name, value: unknown): boolean {
  const isUrl = SETTINGS[name].form === 'URL'
  return isConfig({ ...DEFAULTS, [name]: isList(name) ? [value] : value }) && (!isUrl || URL.canParse(String(value)))
}

/** Separated by commas where the source has no lists. */
function severalOf(raw: unknown): readonly unknown[] {
  const several = typeof raw === 'string' ? raw.split(',').map((each) => each.trim()) : [raw].flat()
  return several.filter((each) => each !== '')
}
function typed(raw: unknown, { type }: JsonSchema): unknown {
  if (type === 'integer' && typeof raw === 'string') return /^-?\d+$/.test(raw) ? Number(raw) : raw
  if (type === 'boolean' && (raw === 'true' || raw === 'false')) return raw === 'true'
  return raw
}

function takes(name: Name): string {
  const { json, form } = SETTINGS[name]
  if (form !== undefined) return FORMS[form].says
  if (json.enum !== undefined) return `one of ${json.enum.join(', ')}`
  if (json.type === 'boolean') return 'true or false'
  return `a whole number from ${json.minimum} to ${json.maximum}`
}
const shown = (raw: unknown) => (typeof raw === 'string' ? `"${raw}"` : JSON.stringify(raw))

export function flagOf(name: Name): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
function envOf(name: Name): string {
  return ENV_PREFIX + flagOf(name).replaceAll('-', '_').toUpperCase()
}

/** Not to be shown to whoever looks on. */
const SECRET: readonly Name[] = ['secretPath']

/** The effective configuration, by the names of the flags, for a file to be read again: so not which file it was. */
export function spelled(config: Config): Raw {
  const told = NAMES.filter((name) => name !== 'config' && config[name] !== undefined)
  return Object.fromEntries(told.map((name) => [flagOf(name), SECRET.includes(name) ? '(not shown)' : config[name]]))
}

export interface Help {
  readonly names: readonly Name[]
  readonly usual?: Partial<Config>
  /** Where a setting means something else to this command. */
  readonly says?: Partial<Record<Name, string>>
}

/** A line a flag, for --help. */
export function helpOn({ names, usual = {}, says = {} }: Help): string {
  const each = [...new Set([...names, ...EVERYWHERE])]
  return each.map((name) => helpLine(name, { ...DEFAULTS, ...usual }[name], says[name])).join('\n')
}

function helpLine(name: Name, usual: unknown, says = SETTINGS[name].json.description): string {
  const short = SHORT[name] === undefined ? '    ' : `-${SHORT[name]}, `
  const flag = `  ${short}--${flagOf(name)}${valueIn(name)}`
  const isWorthSaying = usual !== undefined && usual !== false && String(usual) !== ''
  return `${flag.padEnd(50)} ${says}${isWorthSaying ? ` (default: ${usual})` : ''}`
}
function valueIn(name: Name): string {
  const { json, form } = SETTINGS[name]
  if (json.type === 'boolean') return ''
  return ` ${form ?? json.enum?.join('|') ?? 'NUMBER'}${isList(name) ? '…' : ''}`
}
