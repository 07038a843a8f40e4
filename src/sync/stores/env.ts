import { Fault } from '../../faults.ts'
import type { Key } from '../keys.ts'
import type { KeyPlace, Store } from '../store.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of the process, read again at each pass. */
export function envStore(env: () => Environment): Store {
  return {
    name: 'env',
    placeOf,
    read: async (keys) => ({ values: new Map(keys.flatMap((key) => valuesOf(key, env()))) }),
    watch: async () => {
      throw new Fault('STORE_SENDS_NO_CHANGES', 'the environment of a process does not change')
    },
    close: async () => {},
  }
}

type EnvValue = readonly [path: string, value: string]

/** A name that is longer than that of the key goes on with an underscore, the boundary of this store (SY-BE-5). */
function valuesOf({ path, childrenOnly }: Key, env: Environment): readonly EnvValue[] {
  const name = nameOf(path)
  const start = name === '' ? '' : `${name}_`
  const isMeant = (variable: string) => (variable === name && !childrenOnly) || variable.startsWith(start)
  return Object.entries(env).flatMap(([variable, text]): readonly EnvValue[] =>
    text !== undefined && isMeant(variable) ? [[pathOf(variable), bytesOf(text)]] : [],
  )
}

/** A name has no letter case and no slash of its own; the value stands under the key as it was written, too (SY-ENV-2). */
function placeOf({ path, childrenOnly }: Key): KeyPlace {
  return { key: { path: pathOf(nameOf(path)), childrenOnly }, alias: path }
}

const nameOf = (path: string) => textOf(path).slice(1).replaceAll('/', '_').toUpperCase()
const pathOf = (variable: string) => bytesOf(`/${variable.toLowerCase().replaceAll('_', '/')}`)
const textOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString()
const bytesOf = (text: string) => Buffer.from(text).toString('latin1')
