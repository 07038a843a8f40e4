import { type CloudflareCall, CloudflareFault, guardOf } from '../../kit/cloudflare.ts'
import { anyObject, list, object, type Shape, text } from '../../kit/schema.ts'
import type { RemoteAccount } from '../access/account.ts'
import type { CloudflareCredentials } from './schema.ts'

const token = object({ status: text({ doc: 'active, disabled or expired.' }) })
const VERIFY = { method: 'GET', is: guardOf(token) } as const
const OF_USER: CloudflareCall<Shape<typeof token>> = { ...VERIFY, path: '/user/tokens/verify' }
const OF_ACCOUNT: CloudflareCall<Shape<typeof token>> = { ...VERIFY, path: '/accounts/{account}/tokens/verify' }
const ZONES: CloudflareCall<readonly object[]> = {
  method: 'GET',
  path: '/zones',
  is: guardOf(list(anyObject({ doc: 'A zone.' }), { doc: 'Zones.' })),
}

/** Asks Cloudflare whether it takes them; what it says against them otherwise. Throws a CloudflareFault. */
export async function flawOf(spec: CloudflareCredentials['spec'], account: RemoteAccount): Promise<string | undefined> {
  if (spec.authType === 'globalAPIKey') {
    await account.ask(ZONES, { query: { per_page: 1 } })
    return undefined
  }
  const { status } = await verified(account)
  return status === 'active' ? undefined : `the token is ${status}; put another one into the Secret`
}

/** The token of a user is not one of an account, and neither says which it is. */
async function verified(account: RemoteAccount): Promise<Shape<typeof token>> {
  try {
    return await account.ask(OF_USER)
  } catch (cause) {
    if (!isDenied(cause)) throw cause
    return account.ask(OF_ACCOUNT).catch((other) => {
      throw isAnswer(other) ? cause : other
    })
  }
}
const isDenied = (cause: unknown) => cause instanceof CloudflareFault && cause.code === 'REMOTE_DENIED'
const isAnswer = (cause: unknown) =>
  cause instanceof CloudflareFault && (cause.code === 'REMOTE_DENIED' || cause.code === 'REMOTE_REFUSED')
