import type { Options } from '../../../../src/sync/options/options.ts'
import { type Settled, settled } from '../../../../src/sync/options/settled.ts'

export interface Situation {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** confd.toml; absent: there is none. */
  readonly file?: string
}

/** As the command asks; whoever reads another file than the usual one says so. */
export function settledFor({ args = [], env = {}, file }: Situation = {}): Promise<Settled> {
  return settled({ args, env, version: '1.2.3', readFile: async () => file })
}

export async function optionsFor(situation: Situation): Promise<Options> {
  const found = await settledFor(situation)
  if (found.do === 'run') return found.options
  throw new Error(`ended with ${found.code}: ${found.err}`)
}

export async function endOf(situation: Situation) {
  const found = await settledFor(situation)
  return found.do === 'run' ? { code: 'runs', err: '' } : { code: found.code, err: found.err ?? '' }
}
