import { CloudflareFault } from '../../kit/cloudflare.ts'
import type { PerformContext, Performed } from '../../kit/controller.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { type AccountRef, isObstacle, type RemoteAccount } from '../access/account.ts'
import type { RemoteAccounts } from '../access/accounts.ts'
import type { RemoteCalls } from './calls.ts'
import type { Placement, RemoteFound } from './table.ts'

interface AtCloudflare {
  readonly because: string
  readonly account: AccountRef
  readonly place: Placement
}
interface RemoteUpdate extends AtCloudflare {
  readonly do: 'update remote'
  readonly id: string
  readonly body: Tree
  /** What is there, where it may be replaced if it cannot be changed. */
  readonly before?: Tree
}
/** A write at Cloudflare, as data. */
export type RemoteStep =
  | (AtCloudflare & { readonly do: 'create remote'; readonly body: Tree })
  | RemoteUpdate
  | (AtCloudflare & { readonly do: 'delete remote'; readonly id: string })

/** The time of the next attempt is the matter of `conclude`, and comes before this one. */
const LATEST_MS = 600_000

type Learning = (fault: CloudflareFault, place: Placement) => void

export function performing(calls: RemoteCalls, accounts: RemoteAccounts, learn: Learning = () => {}) {
  return async (step: RemoteStep, { live, signal }: PerformContext): Promise<Performed> => {
    const account = await accounts.at(step.account, live)
    if (isObstacle(account)) return { outcome: 'failed', message: account.message, cause: unavailable(account.message) }
    try {
      const remote = await carriedOut(step, { account, calls, signal })
      return { outcome: 'done', ...(remote && { answer: { remote } }) }
    } catch (cause) {
      if (!(cause instanceof CloudflareFault)) throw cause
      learn(cause, step.place)
      return { outcome: 'failed', message: cause.message, cause: unhurried(cause) }
    }
  }
}

interface Carrying {
  readonly account: RemoteAccount
  readonly calls: RemoteCalls
  readonly signal: AbortSignal
}
async function carriedOut(step: RemoteStep, { account, calls, signal }: Carrying): Promise<RemoteFound | undefined> {
  switch (step.do) {
    case 'create remote':
      return calls.create(account, step.place, step.body, signal)
    case 'update remote':
      return updated(step, { account, calls, signal })
    case 'delete remote':
      await calls.remove(account, step.place, step.id, signal)
      return undefined
  }
}

/** What cannot be changed goes, and is made again (CF-ONE-04); as it was, if the new one is refused. */
async function updated(step: RemoteUpdate, { account, calls, signal }: Carrying): Promise<RemoteFound> {
  const { place, id, body, before } = step
  try {
    return await calls.update(account, place, id, body, signal)
  } catch (cause) {
    if (before === undefined || !isRefused(cause)) throw cause
    await calls.remove(account, place, id, signal)
    return calls.create(account, place, body, signal).catch(async (again) => {
      if (isRefused(again)) await calls.create(account, place, before, signal)
      throw again
    })
  }
}
const isRefused = (cause: unknown) => cause instanceof CloudflareFault && cause.code === 'REMOTE_REFUSED'

const unavailable = (message: string) => new CloudflareFault('REMOTE_DENIED', message, { retryAfterMs: LATEST_MS })
function unhurried(fault: CloudflareFault): CloudflareFault {
  const { code, message, httpStatus, codes, retryAfterMs = LATEST_MS } = fault
  return new CloudflareFault(code, message, { httpStatus, codes, retryAfterMs })
}

/** What stands in the answer of a step that was done. */
export function remoteIn({ answer }: Performed): RemoteFound | undefined {
  const remote = answer?.remote
  return isRemote(remote) ? remote : undefined
}
const isRemote = (value: unknown): value is RemoteFound =>
  isTree(value) && typeof value.id === 'string' && typeof value.text === 'string' && isTree(value.fields)
