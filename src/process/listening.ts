import type { FastifyInstance } from 'fastify'
import { Fault } from '../faults.ts'
import { closing } from '../http/closing.ts'

interface ListenAt {
  readonly host: string
  readonly port: number
  /** Which flag says the port. */
  readonly flag: string
  /** Which one says the host. */
  readonly hostFlag?: string
}

/** The address at which it is reached from this machine. */
export async function listening(app: FastifyInstance, place: ListenAt, made: AsyncDisposableStack): Promise<string> {
  made.defer(closing(app))
  try {
    const address = await app.listen(place)
    return address.replace('[::]', '[::1]')
  } catch (cause) {
    throw new Fault('ADDRESS_UNUSABLE', whyNot(place, codeOf(cause)) ?? `${place.host}: ${sayingOf(cause)}`, { cause })
  }
}

function whyNot({ host, port, flag, hostFlag = 'host' }: ListenAt, code: string): string | undefined {
  const another = `--${flag} names another, or 0 for a free one`
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is taken by another process: ${another}`
  if (code === 'EACCES') return `port ${port} is not open to this user: ${another}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine: --${hostFlag} names another`
  return undefined
}

const codeOf = (cause: unknown) => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')
const sayingOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))
