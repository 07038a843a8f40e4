import { readFile, stat } from 'node:fs/promises'
import { Fault } from '../../../faults.ts'
import type { Around, Store, StoreOptions } from '../../store.ts'
import { flattened, NotYaml } from './flattened.ts'
import { LARGEST, within } from './sources.ts'
import { watchSources } from './watching.ts'

type FileOptions = Pick<StoreOptions, 'files' | 'filter'>

/** YAML or JSON files, and folders of them; later ones overwrite earlier keys (SY-FILE-1). */
export function fileStore({ files, filter }: FileOptions, { clock }: Pick<Around, 'clock'>): Store {
  return {
    name: 'file',
    async read() {
      const values = new Map<string, string>()
      for (const source of files) {
        for (const file of await filesOf(source, filter)) {
          for (const [path, value] of await valuesIn(file)) values.set(bytesOf(path), bytesOf(value))
        }
      }
      return { values }
    },
    watch: (_, changed, signal) => watchSources({ files, filter, clock, changed, signal }),
    close: async () => {},
  }
}

const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

/** A file is read whatever its name is; in a folder the filter says which are. */
async function filesOf(source: string, filter: string): Promise<readonly string[]> {
  return reading(source, async () =>
    (await stat(source)).isDirectory() ? (await within(source, filter)).files : [source],
  )
}

function valuesIn(file: string): Promise<ReadonlyMap<string, string>> {
  return reading(file, async () => {
    if ((await stat(file)).size > LARGEST) throw new NotYaml(`it is larger than ${LARGEST} bytes`)
    return flattened(await readFile(file, 'utf8'))
  })
}

async function reading<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    if (cause instanceof NotYaml) throw new Fault('STORE_ANSWER', `${path}: ${cause.message}`, { cause })
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    throw new Fault('STORE_UNREACHABLE', `${path} cannot be read: ${code}`, { cause })
  }
}
