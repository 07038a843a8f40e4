import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../../../faults.ts'
import type { Store, StoreOptions } from '../../store.ts'
import { matcherOf } from './filter.ts'
import { flattened, NotYaml } from './flattened.ts'

type FileOptions = Pick<StoreOptions, 'files' | 'filter'>

const LARGEST = 64 * 1024 * 1024

/** YAML or JSON files, and folders of them; later ones overwrite earlier keys (SY-FILE-1). */
export function fileStore({ files, filter }: FileOptions): Store {
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
    watch: async () => {
      throw new Fault('STORE_SENDS_NO_CHANGES', 'files are not followed')
    },
    close: async () => {},
  }
}

const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

/** A file is read whatever its name is; in a folder the filter says which are. */
async function filesOf(source: string, filter: string): Promise<readonly string[]> {
  return reading(source, async () => ((await stat(source)).isDirectory() ? below(source, matcherOf(filter)) : [source]))
}

/** What begins with two dots is how a volume keeps its files, and not a file of it. */
async function below(folder: string, matches: (name: string) => boolean): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const sorted = entries.sort(({ name: one }, { name: other }) => (one < other ? -1 : 1))
  const found: string[] = []
  for (const entry of sorted.filter(({ name }) => !name.startsWith('..'))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await below(path, matches)))
    else if (matches(entry.name) && (await stat(path)).isFile()) found.push(path)
  }
  return found
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
