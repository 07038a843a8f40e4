import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, isMissing } from './error-code.ts'
import type { Files, Look, Ownership } from './files.ts'
import { walked } from './walked.ts'

/** Those of this machine. */
export const realFiles: Files = {
  async look(path) {
    const found = await unlessMissing(stat(path))
    return found && lookOf(found)
  },
  read: (path) => unlessMissing(readFile(path)),
  walk: (folder) => unlessMissing(walked((below) => readdir(join(folder, below), { withFileTypes: true }))),
  names: async (folder) => (await unlessMissing(readdir(folder))) ?? [],
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o755 })
  },
  create: (path, content, owner) => written(path, 'wx', content, owner),
  async rename(from, to) {
    await rename(from, to)
    await synced(dirname(to))
  },
  overwrite: (path, content, owner) => written(path, 'r+', content, owner),
  async mark(path) {
    try {
      const file = await open(path, 'wx', 0o600)
      await file.close()
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    }
  },
  remove: (path) => rm(path, { force: true }),
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function lookOf(found: Awaited<ReturnType<typeof stat>>): Look {
  const { size, mtimeMs, mode, uid, gid } = found
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
  return {
    kind,
    size: Number(size),
    mtimeMs: Number(mtimeMs),
    mode: Number(mode) & 0o7777,
    uid: Number(uid),
    gid: Number(gid),
  }
}

async function written(path: string, how: 'wx' | 'r+', content: Uint8Array, owner: Ownership): Promise<void> {
  const file = await open(path, how, 0o600)
  try {
    await file.writeFile(content)
    if (how === 'r+') await file.truncate(content.length)
    await owned(file, owner)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Who owns it goes first, since giving a file away clears bits of its mode. */
async function owned(file: FileHandle, { mode, uid, gid, isAsked }: Ownership): Promise<void> {
  const now = await file.stat()
  if (now.uid !== uid || now.gid !== gid) {
    try {
      await file.chown(uid, gid)
    } catch (error) {
      if (isAsked) throw error
    }
  }
  if ((now.mode & 0o7777) !== mode) await file.chmod(mode)
}

async function synced(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
