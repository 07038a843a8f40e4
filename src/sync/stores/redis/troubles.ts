import { ErrorReply } from '@redis/client'
import { Fault, type FaultCode } from '../../../faults.ts'

/** By the first word of what redis answers. */
const ANSWERED: Readonly<Record<string, readonly [FaultCode, string]>> = {
  NOAUTH: ['STORE_REFUSED', 'it wants a password: set username and password'],
  WRONGPASS: ['STORE_REFUSED', 'username or password are wrong'],
  NOPERM: [
    'STORE_REFUSED',
    'the user may not do that: it needs the commands type, strlen, get, hscan, scan and psubscribe for the keys of the resources',
  ],
  LOADING: ['STORE_UNREACHABLE', 'it still loads its data'],
  MASTERDOWN: ['STORE_UNREACHABLE', 'its master is down'],
  MOVED: ['STORE_REFUSED', 'it is part of a cluster, which is not supported'],
  CLUSTERDOWN: ['STORE_REFUSED', 'it is part of a cluster, which is not supported'],
}

/** Its text may be anything, so that it is not repeated; the code of the system is. */
export function faultOf(error: unknown, name: string): Fault {
  if (error instanceof Fault) return error
  const [code, why] = error instanceof ErrorReply ? answered(error) : (['STORE_UNREACHABLE', lost(error)] as const)
  return new Fault(code, `redis at ${name}: ${why}`, { cause: error })
}

function answered({ message }: ErrorReply): readonly [FaultCode, string] {
  const [word = ''] = message.split(' ')
  if (Object.hasOwn(ANSWERED, word)) return ANSWERED[word] ?? UNKNOWN
  return /DB index is out of range/.test(message) ? ['STORE_REFUSED', 'it has no database of this number'] : UNKNOWN
}
const UNKNOWN: readonly [FaultCode, string] = ['STORE_REFUSED', 'it refuses the request']

function lost(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  return `it cannot be reached${code}`
}

export const isForbidden = (error: unknown): boolean =>
  error instanceof ErrorReply && error.message.startsWith('NOPERM')
