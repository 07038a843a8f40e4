import type { ControllerRemotes } from '../family.ts'
import type { OpenCloudflare } from '../remote/cloudflare/port.ts'
import { unaskedCloudflare } from '../remote/cloudflare/unasked.ts'
import { PasswordPool, type PoolOptions } from '../remote/passwords/pool.ts'

interface RemoteOptions extends PoolOptions {
  /** The worker alone asks it. */
  readonly cloudflare?: OpenCloudflare
}

/** What mutations and controllers cannot do themselves. The caller stops it. */
export function remotesOf({ cloudflare = unaskedCloudflare, ...pool }: RemoteOptions = {}): ControllerRemotes & {
  stop(): Promise<void>
} {
  const passwords = new PasswordPool(pool)
  return { passwords, cloudflare, stop: () => passwords.stop() }
}
