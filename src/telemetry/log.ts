import { type DestinationStream, pino } from 'pino'
import { Fault } from '../faults.ts'

/** A constant message and fields; never an object's content, a token or a password. */
export type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>>
export const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type Level = (typeof LEVELS)[number]

/**
 * The fields that may be logged (OB-2): an allow-list, so that a new field cannot leak a secret before its author has
 * considered it.
 */
const FIELDS = new Set([
  'uid',
  'ref',
  'kind',
  'operation',
  'namespace',
  'name',
  'user',
  'holder',
  'dryRun',
  'allowed',
  'rules',
  'webhook',
  'result',
  'ms',
  'queueMs',
  'bytes',
  'code',
  'status',
  'class',
  'path',
  'resource',
  'reason',
  'count',
  'seconds',
  'role',
  'notAfter',
  'address',
  'source',
  'file',
  'attempt',
  'configuration',
  'controller',
  'patch',
  'signal',
  'version',
  'node',
  'err',
  'output',
])

/** Names come from the caller, and may be anything. What a command of the operator wrote may be longer. */
const LONGEST = 512
const LONGER = new Map([['output', 65_536]])

export function logTo(destination: DestinationStream, level: Level): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: allowed, level: (word: string) => ({ level: word }) },
    serializers: { err: outlineOf },
  }
  return pino(options, destination)
}

function allowed(fields: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(fields).filter(([name]) => FIELDS.has(name))
  return Object.fromEntries(known.map(([name, value]) => [name, shortened(value, LONGER.get(name))]))
}

function shortened(value: unknown, longest = LONGEST): unknown {
  return typeof value === 'string' && value.length > longest ? `${value.slice(0, longest)}…` : value
}

function outlineOf(error: unknown) {
  if (!(error instanceof Error)) return { class: typeof error }
  const { cause } = error
  return { ...wordsOf(error), ...(cause instanceof Error && { cause: wordsOf(cause) }), frames: framesOf(error) }
}

/** Omits the message of an error of a library, which may quote its input. Our own messages never do. */
function wordsOf(error: Error) {
  return {
    class: error.name,
    ...('code' in error && isCode(error.code) && { code: error.code }),
    ...(error instanceof Fault && { message: error.message }),
  }
}

function isCode(code: unknown): boolean {
  return typeof code === 'number' || (typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code))
}

/** Takes the text after the message, since a message may have lines that look like frames. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const at = stack.indexOf(message)
  const lines = at < 0 ? [] : stack.slice(at + message.length).split('\n')
  return lines.map((line) => line.trim()).filter((line) => line.startsWith('at '))
}
