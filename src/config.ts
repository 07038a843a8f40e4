import { choice, flag, integer, type JsonSchema, list, object, type Shape, text } from './schema.ts'
import type { Settings } from './setting.ts'

/** Wrong usage: the message names the setting, its source and the values that it takes. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const LABEL_WORD = '[A-Za-z0-9]([-\\w.]{0,61}[A-Za-z0-9])?'

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
  LABEL: {
    pattern: `^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?${LABEL_WORD}=(${LABEL_WORD})?$`,
    says: 'a label like metrics=enabled',
  },
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

/** The version of package.json; a test compares them. */
export const VERSION = '0.1.0'

/** The bundler puts it in. */
declare const BUILT_COMMIT: string

/** What was bundled, where the bundler knew it. */
export const COMMIT = typeof BUILT_COMMIT === 'undefined' ? '' : BUILT_COMMIT

/** The namespace of an installation as printed. */
export const HOME = 'tars-system'

const ALWAYS = {
  logLevel: choice(['debug', 'info', 'warn', 'error', 'silent'], { default: 'info', doc: 'how much goes to stderr' }),
  profile: choice(['seed', 'upstream'], {
    default: 'seed',
    doc: 'whose word counts where seed and deployed TarsK8S differ',
  }),
  families: list(text({ doc: 'name of a family' }), {
    default: [],
    doc: 'families that run; the kinds of the others are left out',
  }),
  cluster: choice(['kube', 'memory'], {
    default: 'kube',
    doc: 'where to look things up: a real cluster, or an own one',
  }),
  namespace: word('NAMESPACE', { default: HOME, doc: 'namespace of the installation' }),
  namespaces: words('NAMESPACE', 'the worker reconciles in these alone; in all when empty'),
  leaderElect: flag({ default: true, doc: 'of several workers let one write, by a Lease' }),
  besideUpstream: flag({ default: false, doc: 'start although the controller of a deployed TarsK8S holds its Lease' }),
  writesPerSecond: integer({ doc: 'the most writes of the worker', default: 1_000, minimum: 1, maximum: 10_000 }),
  seed: words('FILE|DIR', 'objects that the memory cluster has from the start; manifests as if created there'),
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
  controllers: words('NAME', 'users that count as controllers of ours, beside our own service accounts'),
  clientNames: words(
    'NAME',
    'who of --client-ca may ask, all when empty; those with a comma only in a list of --config',
  ),
  file: words('FILE|DIR', 'objects to review, in this order; - is stdin'),
  recursive: flag({ default: false, doc: 'of a folder take the sub-folders too' }),
  operation: choice(['apply', 'CREATE', 'UPDATE', 'DELETE'], {
    default: 'apply',
    doc: 'what is done with them; apply creates or updates',
  }),
  user: word('NAME', { default: 'kubernetes-admin', doc: 'who asks' }),
  group: words('NAME', 'groups of that user'),
  fromCluster: flag({ default: false, doc: 'review what a live cluster holds, before admission is installed there' }),
  plan: flag({
    default: false,
    doc: 'say also what the worker would make of the objects, and of requests once approved',
  }),
  output: choice(['text', 'json', 'yaml', 'html'], {
    default: 'text',
    doc: 'form of the answer; yaml is that of --plan, html a page that explains',
  }),
  set: choice(['all', 'crds', 'people', 'rbac', 'schemas', 'webhooks', 'workloads'], {
    default: 'all',
    doc: 'which of the manifests',
  }),
  aggregateRoles: flag({ default: true, doc: 'add our roles for people to view, edit and admin of the cluster' }),
  image: word('IMAGE', { default: `tars-admission:${VERSION}`, doc: 'image of the workloads' }),
  monitoringLabel: word('LABEL', {
    default: 'metrics=enabled',
    doc: 'label of the namespaces whose pods may read /metrics',
  }),
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
/** All that the machine itself is asked to do, as one object. */
export const WHOLE = object(ALWAYS, AT_WILL)
export type OwnConfig = Readonly<Shape<typeof WHOLE>>
export type Name = keyof OwnConfig
export interface Config extends OwnConfig {
  /** Those of families. */
  readonly settings: Settings
}

export interface ConfigEntry {
  readonly json: JsonSchema
  readonly form?: Form
}
/** Stands for the settings of all families in what a command lists. */
export const OF_FAMILIES = 'settings of families'
export type Listed = Name | typeof OF_FAMILIES
/** What the rules of kinds are asked with. */
export const OF_RULES = ['families', 'profile', 'controllers', OF_FAMILIES] as const satisfies readonly Listed[]

export const SETTINGS: Readonly<Record<Name, ConfigEntry>> = { ...ALWAYS, ...AT_WILL }
export const isName = (name: string): name is Name => Object.hasOwn(SETTINGS, name)
export const NAMES: readonly Name[] = Object.keys(SETTINGS).filter(isName)
/** The order of `config print`: settings of families stand beside the other settings of rules. */
export const ALL: readonly Listed[] = NAMES.flatMap((name) => (name === 'enforce' ? [name, OF_FAMILIES] : [name]))

export const SHORT: Readonly<Record<string, string>> = { file: 'f', output: 'o', recursive: 'R' }
export const EVERYWHERE: readonly Name[] = ['config', 'logLevel']
export const DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  NAMES.flatMap((name) => (SETTINGS[name].json.default === undefined ? [] : [[name, SETTINGS[name].json.default]])),
)

export const ENV_PREFIX = 'TARS_ADMISSION_'

/** What goes behind "takes". */
export function takes({ json, form }: ConfigEntry): string {
  if (form !== undefined) return FORMS[form].says
  const { enum: words, type } = json.items ?? json
  if (words !== undefined) return `one of ${words.join(', ')}`
  if (type === 'boolean') return 'true or false'
  if (type === 'string') return 'a text'
  return `a whole number from ${json.minimum} to ${json.maximum}`
}
export function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
export function envOf(name: string): string {
  return ENV_PREFIX + flagOf(name).replaceAll('-', '_').toUpperCase()
}

/** `config print` does not show their values. */
export const SECRET: readonly string[] = ['secretPath']
