import { DURATION, FLAG, INTEGER, LIST, NODES, type Option, TEXT, type ValueKind } from './option.ts'

const LATER = 'is not supported yet'

/** A flag has dashes and a key underscores, but where confd itself writes it otherwise. */
const both = <T>(kind: ValueKind<T>, flag: string, usual: T, doc: string): Option<T> => ({
  kind,
  flag,
  key: flag.replaceAll('-', '_'),
  usual,
  doc,
})
const text = (flag: string, doc: string, usual = '') => both(TEXT, flag, usual, doc)
const flag = (name: string, doc: string) => both(FLAG, name, false, doc)
const duration = (name: string, usual: number, doc: string) => both(DURATION, name, usual, doc)
const onlyFlag = <T>({ key: _, ...option }: Option<T>): Option<T> => option
const onlyKey = <T>({ flag: _, ...option }: Option<T>): Option<T> => option

const OF_VAULT = 'accepted as confd accepts it; its backend vault is not provided'

/** All that may be set: confd's own words (1.2), then ours beside them (SY-CLI-9, SY-CLI-10). */
export const OPTIONS = {
  backend: text('backend', 'where values come from: etcd or etcdv3, redis, file, env', 'etcd'),
  nodes: { ...both(NODES, 'node', [], 'endpoints of the store, again or separated by commas'), key: 'nodes' },
  scheme: text('scheme', 'of nodes found by SRV records', 'http'),
  srvDomain: { ...text('srv-domain', 'finds the nodes by DNS'), not: LATER },
  srvRecord: { ...text('srv-record', 'finds the nodes by DNS'), not: LATER },
  prefix: text('prefix', 'goes before all keys, in place of the prefix of a resource'),
  confdir: text('confdir', 'holds conf.d and templates', '/etc/confd'),
  configFile: onlyFlag(text('config-file', 'the file of these options', '/etc/confd/confd.toml')),
  interval: both(INTEGER, 'interval', 600, 'seconds between two passes, and with -watch between two full ones'),
  watch: flag('watch', 'follows the store rather than ask again after each interval'),
  onetime: onlyFlag(flag('onetime', 'one pass, then the end; wins over -watch')),
  noop: flag('noop', 'says what would change and changes nothing'),
  syncOnly: flag('sync-only', 'writes targets and runs neither check nor reload'),
  keepStageFile: onlyFlag(flag('keep-stage-file', 'keeps what was rendered beside the target, as .NAME.staged')),
  logLevel: text('log-level', 'panic, fatal, error, warn, info or debug', 'info'),
  clientCert: text('client-cert', 'PEM file of the client certificate'),
  clientKey: text('client-key', 'PEM file of its key'),
  clientCaKeys: { ...text('client-ca-keys', 'PEM file of the CA of the store'), key: 'client_cakeys' },
  clientInsecure: flag('client-insecure', 'does not verify the certificate of the store'),
  basicAuth: flag('basic-auth', 'accepted as confd accepts it; a username is enough'),
  username: text('username', 'of etcd or redis'),
  password: text('password', 'of etcd or redis'),
  authToken: text('auth-token', OF_VAULT),
  authType: text('auth-type', OF_VAULT),
  appId: text('app-id', OF_VAULT),
  userId: text('user-id', OF_VAULT),
  roleId: text('role-id', OF_VAULT),
  secretId: text('secret-id', OF_VAULT),
  path: text('path', OF_VAULT),
  table: text('table', 'accepted as confd accepts it; its backend dynamodb is not provided'),
  separator: text('separator', 'of keys in redis; empty means /'),
  file: both(LIST, 'file', [], 'YAML or JSON file, or a folder of them, of backend file'),
  filter: text('filter', 'names of the files in folders of backend file', '*'),
  version: onlyFlag(flag('version', 'prints the version')),

  prefixJoin: flag('prefix-join', 'puts the global prefix before that of a resource, rather than in its place'),
  debounce: duration('debounce', 200, 'the shortest time between two passes of a resource while changes go on'),
  checkCmdTimeout: duration('check-cmd-timeout', 30_000, 'longest time of a check'),
  reloadCmdTimeout: duration('reload-cmd-timeout', 60_000, 'longest time of a reload'),
  backendTimeout: duration('backend-timeout', 3_000, 'longest time of one answer of the store'),
  shutdownTimeout: duration('shutdown-timeout', 30_000, 'how long a running reload may go on after SIGTERM'),
  healthAddr: text('health-addr', 'HOST:PORT of /livez, /readyz and /metrics; off when empty'),
  passwordFile: onlyKey(text('password-file', 'file of the password, read at each connect')),
  authTokenFile: onlyKey(text('auth-token-file', OF_VAULT)),

  stageDir: { ...text('stage-dir', 'folder of stage files'), not: LATER },
  podSeq: { ...text('pod-seq', 'number of this pod'), not: LATER },
  readyMaxStaleness: { ...text('ready-max-staleness', 'ends readiness'), not: LATER },
  secretKeyring: {
    ...text('secret-keyring', 'of the functions cget, cgets, cgetv and cgetvs'),
    not: 'is gone, as from confd itself: the crypt functions are removed, so keep secrets in the store or in a Secret',
  },
} as const

export const ALL: readonly Option<unknown>[] = Object.values(OPTIONS)

/** What was given of them. */
export class Options {
  readonly #given: ReadonlyMap<Option<unknown>, unknown>

  constructor(given: ReadonlyMap<Option<unknown>, unknown> = new Map()) {
    this.#given = given
  }

  of<T>(option: Option<T>): T {
    const value = this.#given.get(option)
    return option.kind.is(value) ? value : option.usual
  }
}

/** As a person writes it: the flag, or else the key. */
export const nameOf = ({ flag, key }: Option<unknown>): string => (flag === undefined ? (key ?? '') : `-${flag}`)
