import { join } from 'node:path'
import { isMissing } from './error-code.ts'
import type { FolderWalk } from './files.ts'

interface Entry {
  readonly name: string
  readonly isDirectory: () => boolean
}

/** Reads a folder and those below it. Links to folders are not followed: a folder calls them links. */
export async function walked(readFolder: (below: string) => Promise<readonly Entry[]>): Promise<FolderWalk> {
  const names: string[] = []
  const unreadable: FolderWalk['unreadable'][number][] = []
  await into('')
  return { names, unreadable }

  async function into(below: string): Promise<void> {
    const entries = await readFolder(below)
    for (const entry of [...entries].sort(byName)) {
      const name = join(below, entry.name)
      names.push(name)
      if (entry.isDirectory() && !entry.name.startsWith('..')) await into(name).catch((error) => leftOut(name, error))
    }
  }

  function leftOut(name: string, error: unknown): void {
    if (!isMissing(error)) unreadable.push({ name, error })
  }
}

const byName = ({ name: one }: Entry, { name: other }: Entry) => (one < other ? -1 : 1)
