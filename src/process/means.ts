import type { Means } from '../admission/mutation.ts'
import { PasswordPool, type PoolOptions } from '../remote/passwords/pool.ts'

/** What mutations cannot do themselves. The caller stops it. */
export function meansOf(options?: PoolOptions): Means & { stop(): Promise<void> } {
  const passwords = new PasswordPool(options)
  return { passwords, stop: () => passwords.stop() }
}
