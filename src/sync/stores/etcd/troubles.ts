import { status } from '@grpc/grpc-js'
import { Fault, type FaultCode } from '../../../faults.ts'
import { WireError } from './wire.ts'

/** What went wrong with a call, with the words of the server as its cause. */

/** By the words of etcd; the first that they contain counts. */
const SAID: readonly (readonly [words: string, code: FaultCode, advice: string])[] = [
  ['permission denied', 'STORE_REFUSED', 'the user may not read all keys: grant its role those of the resources'],
  ['user name is empty', 'STORE_REFUSED', 'the server wants a user: set username and password'],
  ['invalid user ID or password', 'STORE_REFUSED', 'username or password are wrong'],
  ['authentication failed', 'STORE_REFUSED', 'username or password are wrong'],
  ['invalid auth token', 'STORE_UNREACHABLE', 'the token has ended'],
  ['revision of auth store is old', 'STORE_UNREACHABLE', 'its users have changed'],
  ['too many operations', 'STORE_ANSWER', 'it takes fewer keys in one request'],
  ['has been compacted', 'STORE_UNREACHABLE', 'it was compacted meanwhile'],
  ['no leader', 'STORE_UNREACHABLE', 'it has no leader'],
  ['message larger than max', 'STORE_ANSWER', 'the values below the keys take more than 64 MiB: read fewer of them'],
]

const CODES: Readonly<Partial<Record<number, readonly [FaultCode, string]>>> = {
  [status.UNAVAILABLE]: ['STORE_UNREACHABLE', 'it cannot be reached'],
  [status.DEADLINE_EXCEEDED]: ['STORE_UNREACHABLE', 'it does not answer in time'],
  [status.PERMISSION_DENIED]: ['STORE_REFUSED', 'it does not permit that'],
  [status.UNAUTHENTICATED]: ['STORE_REFUSED', 'it does not know the user'],
  [status.INVALID_ARGUMENT]: ['STORE_REFUSED', 'it refuses the request'],
  [status.UNIMPLEMENTED]: ['STORE_REFUSED', 'it does not speak the third version of etcd’s API'],
  [status.CANCELLED]: ['STORE_UNREACHABLE', 'it has ended the connection'],
  [status.RESOURCE_EXHAUSTED]: ['STORE_UNREACHABLE', 'it has too much to do'],
}

/** After these a connection is not worth keeping. */
const LOST: readonly number[] = [
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.INTERNAL,
  status.UNKNOWN,
]

/** A server that keeps silent where it has to say something. */
export class Silence extends Error {
  override readonly name = 'Silence'
}

/** A watch that the server does not begin, or ends, with its own words. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly details: string

  constructor(details: string) {
    super('refused')
    this.details = details
  }
}

export function isOfConnection(error: unknown): boolean {
  if (error instanceof Silence || error instanceof WireError) return true
  return error instanceof Error && LOST.includes(codeOf(error))
}

export function faultOf(error: unknown, endpoint: string): Fault {
  if (error instanceof Fault) return error
  const [code, why] = judged(error)
  return new Fault(code, `etcd at ${endpoint}: ${why}${detail(error)}`, { cause: error })
}

/** Whether the server or a fault about it said these words. */
export function says(error: unknown, words: string): boolean {
  if (error instanceof Fault) return says(error.cause, words)
  return wordsOf(error).includes(words)
}

function judged(error: unknown): readonly [FaultCode, string] {
  if (error instanceof Silence) return ['STORE_UNREACHABLE', 'it does not answer in time']
  const said = SAID.find(([words]) => says(error, words))
  if (said !== undefined) return [said[1], said[2]]
  if (error instanceof Refusal) return ['STORE_REFUSED', 'it does not let these keys be watched']
  return (error instanceof Error ? CODES[codeOf(error)] : undefined) ?? ['STORE_ANSWER', 'its answer makes no sense']
}

const codeOf = (error: Error): number => ('code' in error && typeof error.code === 'number' ? error.code : -1)

function wordsOf(error: unknown): string {
  return error instanceof Error && 'details' in error && typeof error.details === 'string' ? error.details : ''
}

/** The system's own words on a connection, such as ECONNREFUSED; a server's text may be anything and is left out. */
function detail(error: unknown): string {
  if (error instanceof WireError) return ` (${error.message})`
  const [system] =
    /\b(?:E[A-Z]{3,}|(?:self-signed|unable to|certificate|Hostname\/IP)[\w ,'/-]{3,80})\b/.exec(wordsOf(error)) ?? []
  return system === undefined ? '' : ` (${system})`
}
