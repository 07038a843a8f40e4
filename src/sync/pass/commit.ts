import { posix } from 'node:path'
import { codeOf } from '../host/error-code.ts'
import type { Ownership } from '../host/files.ts'
import { type Running, run } from './commands.ts'
import { failed, type Outcome } from './outcome.ts'
import { targetOf } from './target.ts'

export interface Committing extends Running {
  readonly content: Uint8Array
  readonly owner: Ownership
  readonly keepsStage: boolean
  readonly checked: (ms: number) => void
  /** Neither check nor reload. */
  readonly isSyncOnly: boolean
}

/** Stages, checks and swaps. Whatever happens, the stage file goes. */
export async function commit(committing: Committing): Promise<Outcome> {
  const { host, content, owner, resource } = committing
  const { folder, stage } = beside(resource.dest, host.token())
  try {
    if (resource.createDir) await host.files.makeFolder(folder)
    await host.files.create(stage, content, owner)
    return await checkedAndSwapped(stage, committing)
  } catch (error) {
    return failed('commit', `${resource.dest} cannot be written: ${hint(codeOf(error))}`, 'time')
  } finally {
    await host.files.remove(stage).catch(() => undefined) // it is gone after the swap, or its folder is
  }
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is missing (ENOENT); make it, or set create_dir = true',
  ENOTDIR: 'a part of its path is a file (ENOTDIR); name another dest',
  EACCES: 'this user may not write in its folder (EACCES); give it the right, or name another dest',
  EPERM: 'this user may not give it to uid and gid (EPERM); leave them out',
  EROFS: 'its file system is read-only (EROFS); name another dest',
  ENOSPC: 'its file system is full (ENOSPC); make room',
  ENAMETOOLONG: 'its path is too long (ENAMETOOLONG); shorten dest',
}
const hint = (code: string) => HINTS[code] ?? code

/** The files that stand beside a target. */
export function beside(dest: string, token = '') {
  const [folder, base] = [posix.dirname(dest), posix.basename(dest)]
  const hidden = (end: string) => posix.join(folder, `.${base}.${end}`)
  return { folder, base, stage: hidden(token), marker: hidden('reload'), staged: hidden('staged') }
}

async function checkedAndSwapped(stage: string, committing: Committing): Promise<Outcome> {
  const { resource, host, signal, checked, keepsStage, isSyncOnly } = committing
  const { check, dest, reload } = resource
  if (keepsStage) await keep(committing)
  if (check !== undefined && !isSyncOnly) {
    const from = host.clock.tick()
    const { ok, why, output } = await run(check, { src: stage, dest }, committing)
    checked(host.clock.tick() - from)
    if (signal.aborted) return { did: 'stopped' }
    if (!ok) return { ...failed('check', `check_cmd: Config check failed: it ${why}`), output }
  }
  if (signal.aborted) return { did: 'stopped' }
  return reload === undefined || isSyncOnly ? swapped(stage, committing) : owing(stage, committing)
}

/** The marker stands before the new content does, so that the reload is not forgotten in a crash (SY-FAIL-8). */
async function owing(stage: string, committing: Committing): Promise<Outcome> {
  const { files } = committing.host
  const { marker } = beside(committing.resource.dest)
  const isNew = await files.mark(marker)
  try {
    return await swapped(stage, committing)
  } catch (error) {
    if (isNew) await files.remove(marker)
    throw error
  }
}

/** A copy for people (SY-PIPE-12). */
async function keep({ resource, host, content, owner }: Committing): Promise<void> {
  const { staged } = beside(resource.dest)
  await host.files.remove(staged)
  await host.files.create(staged, content, owner)
}

/** What fails once the target is as it should be, such as the sync of its folder, takes no reload away. */
async function swapped(stage: string, committing: Committing): Promise<Outcome> {
  try {
    return await replaced(stage, committing)
  } catch (error) {
    const target = await targetOf(committing.resource, committing.content, committing.host)
    if ('did' in target || target.differs.length > 0) throw error
    return { did: 'swapped', how: 'unsynced' }
  }
}

/** A file that is mounted by itself cannot be replaced; it is written in place (SY-PIPE-10). */
async function replaced(stage: string, { resource, host, content, owner }: Committing): Promise<Outcome> {
  const { files } = host
  try {
    await files.rename(stage, resource.dest)
    return { did: 'swapped', how: 'at once' }
  } catch (error) {
    if (codeOf(error) !== 'EBUSY') throw error
    await files.overwrite(resource.dest, content, owner)
    const written = await files.read(resource.dest)
    if (written?.equals(content) !== true) return failed('commit', `${resource.dest} was changed meanwhile`, 'time')
    return { did: 'swapped', how: 'in place' }
  }
}
