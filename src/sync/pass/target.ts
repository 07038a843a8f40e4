import { codeOf } from '../host/error-code.ts'
import type { Look, Ownership } from '../host/files.ts'
import type { Host } from '../host/host.ts'
import type { TemplateResource } from '../resources/resource.ts'
import { type Failed, failed } from './outcome.ts'

export interface Target {
  /** What it is to be. */
  readonly owner: Ownership
  /** How it differs, in words for a log; nothing when it is in sync. */
  readonly differs: readonly string[]
}

const USUAL_MODE = 0o644

/** Compares what is there with what is to be there: owner, group, mode and bytes (SY-PIPE-1, SY-PIPE-6). */
export async function targetOf(resource: TemplateResource, content: Uint8Array, host: Host): Promise<Target | Failed> {
  const { dest } = resource
  try {
    const look = await host.files.look(dest)
    if (look?.kind === 'folder') return failed('commit', `${dest} is a folder; dest names a file`)
    if (look?.kind === 'other') return failed('commit', `${dest} is no regular file; dest names one`)
    const owner = ownerOf(resource, look, host)
    return { owner, differs: look === undefined ? ['is missing'] : await differences(dest, look, owner, content, host) }
  } catch (error) {
    const code = codeOf(error)
    return failed('commit', `${dest} cannot be looked at: ${HINTS[code] ?? code}`, 'time')
  }
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not enter its folder (EACCES); give it the right, or name another dest',
  ELOOP: 'a link leads back to itself (ELOOP); remove it',
  ENAMETOOLONG: 'its path is too long (ENAMETOOLONG); shorten dest',
}

function ownerOf({ mode, uid, gid }: TemplateResource, look: Look | undefined, host: Host): Ownership {
  return {
    mode: mode ?? look?.mode ?? USUAL_MODE,
    uid: uid ?? host.uid,
    gid: gid ?? host.gid,
    isAsked: uid !== undefined || gid !== undefined,
  }
}

async function differences(
  dest: string,
  look: Look,
  owner: Ownership,
  content: Uint8Array,
  { files }: Host,
): Promise<readonly string[]> {
  const octal = (mode: number) => `0${mode.toString(8)}`
  const found: string[] = []
  if (look.uid !== owner.uid) found.push(`has uid ${look.uid}, should be ${owner.uid}`)
  if (look.gid !== owner.gid) found.push(`has gid ${look.gid}, should be ${owner.gid}`)
  if (look.mode !== owner.mode) found.push(`has mode ${octal(look.mode)}, should be ${octal(owner.mode)}`)
  if (look.size !== content.length || !(await isContent(dest, content, files))) found.push('has other content')
  return found
}

/** A target that cannot be read counts as changed. */
async function isContent(dest: string, content: Uint8Array, files: Host['files']): Promise<boolean> {
  const present = await files.read(dest).catch(() => undefined)
  return present?.equals(content) ?? false
}
