import { isTerminating } from '../../../src/kube/metadata.ts'
import { defineController, type Given, type Notice, type Plan, type Result } from '../../kit/controller.ts'
import type { Found } from '../../kit/schema.ts'
import { LONGEST_WAIT_MS, MOST_OPERATIONS } from '../again.ts'
import { TACCOUNT, type TAccount } from './schema.ts'

const TOKENS = '/spec/authentication/tokens'

/** The worker keeps the tokens alone, and no hash of a password. */
export const taccountController = defineController<TAccount, Found<TAccount>>({
  name: 'taccount',
  of: TACCOUNT,
  keeps: { fields: ['spec.authentication.tokens', 'metadata.deletionTimestamp'] },
  watches: [],
  writes: [{ resource: TACCOUNT, verbs: ['patch'] }],
  observe: (key, { cached }) => cached.get(TACCOUNT, key),
  plan,
  conclude: (_, results) => ({ actions: [], notices: results.some(isRefused) ? [REFUSED] : [] }),
})

const isRefused = ({ outcome }: Result) => outcome === 'refused'
/** Without the words of the API server, which may quote the account. */
const REFUSED: Notice = {
  type: 'Warning',
  reason: 'SyncFailed',
  message: 'the API server refuses to drop expired tokens (TA-R1)',
}

/** Tokens go by their place in the version that was read, so that no action holds the text of one (TA-R1). */
export function plan(account: Found<TAccount>, { at }: Pick<Given, 'at'>): Plan {
  const { namespace = '', name, uid = '', resourceVersion = '' } = account.metadata
  const ends = (account.spec?.authentication?.tokens ?? []).map((token) => Date.parse(token.expirationTime ?? ''))
  const expired = ends.flatMap((end, place) => (end < at.getTime() ? [place] : [])).slice(-MOST_OPERATIONS)
  if (expired.length === 0 || isTerminating(account)) return { actions: [], ...againAt(ends, at) }
  const operations = expired.reverse().map((place) => ({ op: 'remove', path: `${TOKENS}/${place}` }) as const)
  const ref = { namespace, name }
  const removal = { do: 'patch', of: TACCOUNT, ref, expects: { uid, resourceVersion }, operations } as const
  return { actions: [{ ...removal, because: 'TA-R1' }], ...againAt(ends, at) }
}

/** The moment after the earliest expiry that is still to come. */
function againAt(ends: readonly number[], at: Date): Pick<Plan, 'againInMs'> {
  const next = ends.reduce((least, end) => (end >= at.getTime() ? Math.min(least, end) : least), Infinity)
  return next === Infinity ? {} : { againInMs: Math.min(next - at.getTime() + 1, LONGEST_WAIT_MS) }
}
