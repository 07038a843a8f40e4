import { posix } from 'node:path'
import { unreadable } from '../host/error-code.ts'
import type { Files, FolderWalk } from '../host/files.ts'
import { OPTIONS, type Options } from '../options/options.ts'
import { isBroken, type Loaded, type TemplateResource } from './resource.ts'
import { resourceIn } from './resource-in.ts'

/** What a confdir holds, or what is missing of it. */
export type ConfDir =
  | { readonly is: 'there'; readonly resources: readonly Loaded[]; readonly warnings: readonly Warning[] }
  | { readonly is: 'no confdir' | 'no conf.d'; readonly path: string }
  | { readonly is: 'unreadable'; readonly path: string; readonly why: string }

export interface Warning {
  readonly name: string
  readonly says: string
}

const LARGEST = 1_048_576

/** Reads conf.d again (SY-RES-1, SY-RES-2). What is known of a folder that cannot be read goes on. */
export async function confDir(
  options: Options,
  files: Files,
  known: readonly TemplateResource[] = [],
): Promise<ConfDir> {
  const folder = options.of(OPTIONS.confdir)
  const path = posix.join(folder, 'conf.d')
  try {
    if ((await files.look(folder)) === undefined) return { is: 'no confdir', path: folder }
    const walk = await files.walk(path)
    return walk === undefined ? { is: 'no conf.d', path } : await found(path, walk, known, options, files)
  } catch (error) {
    return { is: 'unreadable', path, why: unreadable(error) }
  }
}

async function found(
  path: string,
  { names, unreadable: folders }: FolderWalk,
  known: readonly TemplateResource[],
  options: Options,
  files: Files,
): Promise<ConfDir> {
  const each = await Promise.all(names.filter(isResource).map((name) => loaded(path, name, options, files)))
  const present = each.flatMap((found) => found ?? [])
  const broken = folders.map(({ name, error }) => ({ name, why: `this folder ${unreadable(error)}` }))
  const kept = known.filter(({ name }) => folders.some((folder) => isBelow(name, folder.name)))
  return {
    is: 'there',
    resources: [...withoutDuplicates([...present.map(({ resource }) => resource), ...kept]), ...broken],
    warnings: present.flatMap(({ resource: { name }, warnings }) => warnings.map((says) => ({ name, says }))),
  }
}

export const isBelow = (name: string, folder: string) => name.startsWith(`${folder}/`)

/** A volume of a ConfigMap holds its files twice: by link, and in folders that begin with two dots. */
const isResource = (path: string) => path.endsWith('toml') && !path.split('/').some((part) => part.startsWith('..'))

/** A folder, or a link to nothing, is no resource. */
async function loaded(folder: string, name: string, options: Options, files: Files) {
  const path = posix.join(folder, name)
  const broken = (why: string) => ({ resource: { name, why }, warnings: [] })
  try {
    const look = await files.look(path)
    if (look?.kind !== 'file') return undefined
    if (look.size > LARGEST) return broken(`is larger than ${LARGEST} bytes`)
    const text = await files.read(path)
    return text && resourceIn({ name, text: text.toString() }, options)
  } catch (error) {
    return broken(unreadable(error))
  }
}

/** The first of two for one target counts (SY-RES-11). */
function withoutDuplicates(resources: readonly Loaded[]): readonly Loaded[] {
  const owners = new Map<string, string>()
  return resources.map((each) => {
    if (isBroken(each)) return each
    const owner = owners.get(each.dest)
    if (owner !== undefined) return { name: each.name, why: `dest: ${each.dest} is the target of ${owner} already` }
    owners.set(each.dest, each.name)
    return each
  })
}
