import type { Remotes } from '../admission/mutation.ts'
import { PasswordPool, type PoolOptions } from '../remote/passwords/pool.ts'

/** What mutations cannot do themselves. The caller stops it. */
export function remotesOf(options?: PoolOptions): Remotes & { stop(): Promise<void> } {
  const passwords = new PasswordPool(options)
  return { passwords, stop: () => passwords.stop() }
}
