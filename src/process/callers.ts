import { type Config, UsageError } from '../config.ts'
import type { Callers } from '../http/callers.ts'
import { caIn } from './files.ts'

/** Which callers the settings admit; undefined when every caller that reaches the port is. */
export async function callersOf({ clientCa, clientNames: names }: Config): Promise<Callers | undefined> {
  if (clientCa !== undefined) return { ca: await caIn(clientCa), names }
  if (names.length > 0) throw new UsageError('--client-names are those of certificates: --client-ca FILE says whose')
  return undefined
}
