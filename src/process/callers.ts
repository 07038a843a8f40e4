import { type Config, UsageError } from '../config.ts'
import type { Callers } from '../http/callers.ts'
import { caIn } from './files.ts'

/** Who may ask, as the settings have it: nothing, and whoever reaches the port may. */
export async function callersOf({ clientCa, clientNames: names }: Config): Promise<Callers | undefined> {
  if (clientCa !== undefined) return { ca: await caIn(clientCa), names }
  if (names.length > 0) throw new UsageError('--client-names are those of certificates: --client-ca FILE says whose')
  return undefined
}
