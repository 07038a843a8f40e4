import { ALL, nameOf, OPTIONS, type Options } from './options.ts'

export interface Objections {
  readonly wrong: readonly string[]
  readonly warnings: readonly string[]
}

const BACKENDS = ['etcd', 'etcdv3', 'redis', 'file', 'env']
/** Of confd, and not of ours (4.1). */
const NOT_PROVIDED = ['consul', 'vault', 'zookeeper', 'dynamodb', 'ssm', 'rancher', 'kubernetes']

/** What cannot be run with, and what surprises. */
export function problemsOf(options: Options): Objections {
  const { backend, interval, logLevel, file } = OPTIONS
  const wrong = [
    ...notSupported(options),
    ...wrongBackend(options.of(backend)),
    ...(options.of(interval) < 1 ? ['-interval: it takes at least 1 second'] : []),
    ...(levelOf(options.of(logLevel)) === undefined ? [`-log-level: it takes ${Object.keys(LEVELS).join(', ')}`] : []),
    ...noTime(options),
    ...wrongAddress(options.of(OPTIONS.healthAddr)),
  ]
  const noFile = options.of(backend) === 'file' && options.of(file).length === 0
  const insecure = options.of(OPTIONS.clientInsecure)
  return {
    wrong,
    warnings: [
      ...(noFile ? ['-backend file without -file has no values'] : []),
      ...(insecure ? ['-client-insecure: the certificate of the store is not verified'] : []),
    ],
  }
}

/** Nothing ends in no time: each command and each answer would be given up at once. */
function noTime(options: Options): readonly string[] {
  const timeouts = [OPTIONS.checkCmdTimeout, OPTIONS.reloadCmdTimeout, OPTIONS.backendTimeout]
  return timeouts.filter((each) => options.of(each) === 0).map((each) => `${nameOf(each)}: it takes more than 0`)
}

/** What is given as nothing is not asked for. */
function notSupported(options: Options): readonly string[] {
  const asked = ALL.filter((option) => option.not !== undefined && options.of(option) !== option.usual)
  return asked.map((option) => `${nameOf(option)} ${option.not}`)
}

function wrongBackend(name: string): readonly string[] {
  if (BACKENDS.includes(name)) return []
  const why = NOT_PROVIDED.includes(name) ? `${name} is not provided` : 'there is no such backend'
  return [`-backend: Invalid backend, ${why}; take one of ${BACKENDS.join(', ')}`]
}

const ADDRESS = /^(?:[^:\s/]*|\[[\da-fA-F:.]+\]):(\d{1,5})$/
function wrongAddress(text: string): readonly string[] {
  if (text === '' || Number(ADDRESS.exec(text)?.[1] ?? 65_536) <= 65_535) return []
  return ['-health-addr: it takes HOST:PORT, such as 127.0.0.1:8081']
}

const LEVELS = {
  panic: 'silent',
  fatal: 'silent',
  error: 'error',
  warn: 'warn',
  warning: 'warn',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
  '': 'info',
} as const

/** The level of the log that a word of confd means. */
export function levelOf(word: string) {
  return new Map<string, (typeof LEVELS)[keyof typeof LEVELS]>(Object.entries(LEVELS)).get(word)
}
