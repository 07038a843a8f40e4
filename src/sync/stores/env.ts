import { Fault } from '../../faults.ts'
import type { Key } from '../keys.ts'
import type { Store } from '../store.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of the process, read again at each pass. */
export function envStore(env: () => Environment): Store {
  return {
    name: 'env',
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
  const name = textOf(path).slice(1).replaceAll('/', '_').toUpperCase()
  const start = name === '' ? '' : `${name}_`
  return Object.entries(env).flatMap(([variable, text]): readonly EnvValue[] => {
    if (text === undefined) return []
    const value = bytesOf(text)
    if (variable === name && !childrenOnly)
      return [
        [pathOf(variable), value],
        [path, value],
      ] // the alias of SY-ENV-2
    return variable.startsWith(start) ? [[pathOf(variable), value]] : []
  })
}

const pathOf = (variable: string) => bytesOf(`/${variable.toLowerCase().replaceAll('_', '/')}`)
const textOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString()
const bytesOf = (text: string) => Buffer.from(text).toString('latin1')
