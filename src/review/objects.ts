import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { someOf } from '../admission/wording.ts'
import type { Built, Gvr } from '../cluster/port.ts'
import { isNamed } from '../cluster/stored.ts'
import type { Kind } from '../kind.ts'
import { contentOf, unreadable } from '../process/files.ts'
import { isTree, type Tree } from '../schema.ts'
import { faultAt, pagesIn, type Remark, type Steps, type YamlDocument } from './pages.ts'
import { unservedCauses } from './served-kinds.ts'

/** One object of a file, and where in it each of its fields stands. */
export interface AuthoredDocument {
  readonly file: string
  readonly object: AuthoredObject
  /** Absent for a kind that is not known, which stands in a namespace like most. */
  readonly scope?: Gvr['scope'] | undefined
  readonly lineOf: (path: string) => number
  /** The remarks on the whole document, kept with its first object. */
  readonly remarks: readonly Remark[]
}
/** The name may still be missing, or be wrong: the API server, or what stands for it, says so. */
export type AuthoredObject = Tree & { readonly apiVersion: string; readonly kind: string; readonly metadata: Tree }
/** One that has its place in a cluster. */
export type PlacedDocument = AuthoredDocument & { readonly object: AuthoredObject & Built }

const ENDINGS = ['.yaml', '.yml', '.json']

/** How files are read. */
export interface Reading {
  /** What the cluster serves that they are read for. */
  readonly kinds: readonly Kind[]
  readonly recursive: boolean
  /** What the path `-` stands for, where a command has it. */
  readonly stdin?: () => Promise<string>
  /** Reports what is left out. */
  readonly note: (note: string) => void
}
export const STDIN = '-'

/** Keeps the order of the arguments and sorts the files of a folder by name, as kubectl does. */
export async function objectsIn(paths: readonly string[], reading: Reading): Promise<readonly AuthoredDocument[]> {
  const files = (await Promise.all(paths.map((path) => filesIn(path, reading)))).flat()
  return (await Promise.all(files.map((file) => writtenIn(file, reading)))).flat()
}

/** Objects that are there already; what says no namespace is in `namespace`. */
export async function storedIn(
  paths: readonly string[],
  namespace: string,
  reading: Reading,
): Promise<readonly PlacedDocument[]> {
  const written = await objectsIn(paths, reading)
  return written.map((each) => {
    for (const { field, message } of unservedCauses(each.object, reading.kinds))
      throw faultAt(each.file, each.lineOf(field), `${field}: ${message}`)
    const [object] = placed(each, namespace)
    if (object !== undefined) return object
    throw faultAt(each.file, each.lineOf('metadata'), 'an object that is there already has a metadata.name')
  })
}

/** Undefined for an object without a name. */
export function placed(written: AuthoredDocument, namespace: string): readonly PlacedDocument[] {
  const object = placedIn(namespace, written)
  return isNamed(object) ? [{ ...written, object }] : []
}

/** An empty namespace is none, as for kubectl. */
export function placedIn(
  namespace: string,
  { object, scope }: Pick<AuthoredDocument, 'object' | 'scope'>,
): AuthoredObject {
  if (scope === 'Cluster') return object
  return { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace || namespace } }
}

/** The kind that has rules for the object. */
export function kindOf(kinds: readonly Kind[], { apiVersion, kind }: AuthoredObject): Kind | undefined {
  return kinds.find(
    ({ resource: { group, version, kind: name } }) =>
      [group, version].filter(Boolean).join('/') === apiVersion && name === kind,
  )
}

async function filesIn(path: string, reading: Reading): Promise<readonly string[]> {
  if (path === STDIN) return [path]
  try {
    return (await stat(path)).isDirectory() ? await filesOf(path, reading) : [path]
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

async function filesOf(folder: string, reading: Reading): Promise<readonly string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  if (folders.length > 0 && !reading.recursive)
    reading.note(`${folder}: note: its sub-folders are left out (${someOf(folders)}); -R takes them`)
  const files = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return reading.recursive ? filesOf(path, reading) : []
    return ENDINGS.includes(extname(entry.name)) ? [path] : []
  })
  return (await Promise.all(files)).flat()
}

async function writtenIn(path: string, { stdin, kinds }: Reading): Promise<readonly AuthoredDocument[]> {
  const isStdin = path === STDIN && stdin !== undefined
  const [file, content] = isStdin ? ['stdin', await stdin()] : [path, await contentOf(path)]
  return pagesIn(file, content).flatMap((page) => itemsOf(page).map((item) => writtenAt({ file, kinds }, item, page)))
}

interface Item {
  readonly at: Steps
  readonly value: unknown
}

/** The items of a list stand for themselves, whatever it is called; a document of comments alone is none. */
function itemsOf({ value }: YamlDocument): readonly Item[] {
  if (value === null || value === undefined) return []
  if (!isTree(value) || !Array.isArray(value.items)) return [{ at: [], value }]
  return value.items.map((item: unknown, index) => ({ at: ['items', index], value: item }))
}

function writtenAt(
  { file, kinds }: Pick<Reading, 'kinds'> & { readonly file: string },
  { at, value }: Item,
  { lineOf, remarks }: YamlDocument,
): AuthoredDocument {
  if (!isManifest(value)) throw faultAt(file, lineOf(at), `no object: ${lackIn(value)}`)
  const isFirst = at.length === 0 || at.at(-1) === 0
  const { scope } = kindOf(kinds, value)?.resource ?? {}
  const lineOfPath = (path: string) => lineOf([...at, ...stepsOf(path)])
  return { file, object: value, scope, lineOf: lineOfPath, remarks: isFirst ? remarks : [] }
}

/** `spec.ports[0].name` and `metadata.labels[tars.io/Parent]`, as findings and the API server write paths. */
function stepsOf(path: string): Steps {
  return [...path.matchAll(/\[([^[\]]*)\]|[^.[\]]+/g)].map(([whole, inside]) => {
    if (inside === undefined) return whole
    return /^\d+$/.test(inside) ? Number(inside) : inside
  })
}

function isManifest(value: unknown): value is AuthoredObject {
  return isTree(value) && MUST.every(({ name, is }) => is(value[name]))
}
function lackIn(value: unknown): string {
  if (!isTree(value)) return `an object has fields, among them ${MUST.map(({ name }) => name).join(', ')}`
  return `${MUST.flatMap(({ name, is }) => (is(value[name]) ? [] : [name])).join(', ')} missing`
}
const isText = (value: unknown) => typeof value === 'string'
const MUST = [
  { name: 'apiVersion', is: isText },
  { name: 'kind', is: isText },
  { name: 'metadata', is: isTree },
] as const
