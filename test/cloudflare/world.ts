import { isTree, type Tree } from '../../src/schema.ts'
import { Double } from './double/server.ts'

export const TOKEN = 'token-of-the-first'
export const OTHER_TOKEN = 'token-of-the-other'
export const KEY = 'key-of-the-first'
export const EMAIL = 'first@example.com'

/** A double with an account, a zone of each plan, a default network, and credentials; and another account. */
export async function doubleWorld() {
  const double = await new Double().listen()
  const { state } = double
  const account = state.addAccount({ name: 'first' })
  const other = state.addAccount({ name: 'other' })
  const zone = state.addZone({ account: account.id, name: 'example.com' })
  const paid = state.addZone({ account: account.id, name: 'example.org', plan: 'paid' })
  const accounts = [account.id]
  state.credentials.set(TOKEN, { name: 'first', accounts })
  state.credentials.set(KEY, { name: 'key', accounts, email: EMAIL })
  state.credentials.set(OTHER_TOKEN, { name: 'other', accounts: [other.id] })
  const ask = asking(double)
  await ask('POST', `/accounts/${account.id}/teamnet/virtual_networks`, { name: 'default', is_default: true })
  double.log.splice(0)
  const close = () => double.close()
  const records = `/zones/${zone.id}/dns_records`
  /** The status of an answer, and the code of its error. */
  const heard = async (...call: Parameters<typeof ask>) => {
    const { status, code } = await ask(...call)
    return code === undefined ? status : `${status} ${code}`
  }
  return { double, account, zone, paid, records, ask, heard, close, [Symbol.asyncDispose]: close }
}
export type DoubleWorld = Awaited<ReturnType<typeof doubleWorld>>

export interface Heard {
  readonly status: number
  readonly result: unknown
  readonly code: unknown
  readonly body: Tree
  readonly headers: Headers
}

function asking(double: Double) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Heard> => {
    const response = await fetch(double.url + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const heard: unknown = await response.json()
    const tree = isTree(heard) ? heard : {}
    const [error] = Array.isArray(tree.errors) ? tree.errors : []
    const code = isTree(error) ? error.code : undefined
    return { status: response.status, result: tree.result, code, body: tree, headers: response.headers }
  }
}

export function idIn({ result }: Heard): string {
  return isTree(result) && typeof result.id === 'string' ? result.id : ''
}
