import type { Key, PerformContext, Performed, Step } from '../../../kit/controller.ts'
import { configDigest } from '../../config/digest.ts'
import { CONFIG_MAP } from '../../kubernetes.ts'

/** A look at what is stored before pods are told to restart with it (NC-DIG-02). */
export interface Confirmation extends Step {
  readonly do: 'confirm'
  readonly ref: Key
  readonly key: string
  readonly digest: string
  /** What was refused needs no confirmation. */
  readonly follows: true
}

export async function confirmed(
  { ref, key, digest }: Confirmation,
  { live }: Pick<PerformContext, 'live'>,
): Promise<Performed> {
  const found = await live.get(CONFIG_MAP, ref)
  const text = found?.data?.[key]
  if (typeof text === 'string' && configDigest(text) === digest) return { outcome: 'needless' }
  return { outcome: 'refused', message: `ConfigMap "${ref.name}" was changed by another writer at once` }
}
