import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { matcherOf } from './filter.ts'

/** A larger file is not read. */
export const LARGEST = 64 * 1024 * 1024

interface Within {
  readonly files: readonly string[]
  /** The folder itself and those below it. */
  readonly folders: readonly string[]
}

/** What begins with two dots is how a volume keeps its files, and not a file of it. */
export async function within(folder: string, filter: string): Promise<Within> {
  return below(folder, matcherOf(filter))
}

async function below(folder: string, matches: (name: string) => boolean): Promise<Within> {
  const entries = await readdir(folder, { withFileTypes: true })
  const sorted = entries.sort(({ name: one }, { name: other }) => (one < other ? -1 : 1))
  const files: string[] = []
  const folders: string[] = [folder]
  for (const entry of sorted.filter(({ name }) => !name.startsWith('..'))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const deeper = await below(path, matches)
      files.push(...deeper.files)
      folders.push(...deeper.folders)
    } else if (matches(entry.name) && (await mayBeFile(path))) files.push(path)
  }
  return { files, folders }
}

/** What cannot be looked at is taken for a file, which cannot be read then. */
async function mayBeFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => true,
  )
}
