import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Document, isCollection, LineCounter, parseAllDocuments } from 'yaml'
import type { Stored } from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import { isTree } from '../schema.ts'

/** One object of a file, and where in it each of its fields stands. */
export interface Written {
  readonly file: string
  readonly object: Stored & Identified
  readonly lineOf: (path: string) => number
}
interface Identified {
  readonly apiVersion: string
  readonly kind: string
}

const ENDINGS = ['.yaml', '.yml', '.json']

/** In the order of the arguments; a folder's files by name, as kubectl takes them. */
export async function objectsIn(paths: readonly string[]): Promise<readonly Written[]> {
  const files = (await Promise.all(paths.map(filesIn))).flat()
  return (await Promise.all(files.map(writtenIn))).flat()
}

async function filesIn(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = await readdir(path)
    return names
      .filter((name) => ENDINGS.includes(extname(name)))
      .sort()
      .map((name) => join(path, name))
  } catch (cause) {
    throw new Fault('FILE_UNREADABLE', `${path} cannot be read`, { cause })
  }
}

async function writtenIn(file: string): Promise<readonly Written[]> {
  const lines = new LineCounter()
  const text = await contentOf(file)
  return parseAllDocuments(text, { lineCounter: lines }).flatMap((document) => {
    if (document.errors[0] !== undefined)
      throw unreadable(file, lineAt(lines, document.errors[0].pos[0]), document.errors[0].code)
    return itemsOf(document).map((item) => writtenAt(file, document, lines, item))
  })
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new Fault('FILE_UNREADABLE', `${file} cannot be read`, { cause })
  }
}

interface Item {
  readonly at: readonly (string | number)[]
  readonly value: unknown
}

/** The items of a List stand for themselves; a document of comments alone is none. */
function itemsOf(document: Document.Parsed): readonly Item[] {
  const value: unknown = document.toJS()
  if (value === null || value === undefined) return []
  if (isTree(value) && value.kind === 'List' && Array.isArray(value.items)) {
    return value.items.map((item: unknown, index) => ({ at: ['items', index], value: item }))
  }
  return [{ at: [], value }]
}

function writtenAt(file: string, document: Document.Parsed, lines: LineCounter, { at, value }: Item): Written {
  const lineOf = (path: string) => lineOfNode(document, lines, [...at, ...stepsOf(path)])
  if (!isObject(value)) throw unreadable(file, lineOf(''), 'no object: apiVersion, kind and metadata are needed')
  return { file, object: value, lineOf }
}

/** The name may still be missing (generateName); the API server, or what stands for it, says so. */
function isObject(value: unknown): value is Stored & Identified {
  return (
    isTree(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string' && isTree(value.metadata)
  )
}

/** Of a field that is not there, the nearest one around it. */
function lineOfNode(document: Document.Parsed, lines: LineCounter, steps: readonly (string | number)[]): number {
  for (let many = steps.length; many > 0; many -= 1) {
    const start = startOf(document, steps.slice(0, many))
    if (start !== undefined) return lineAt(lines, start)
  }
  return lineAt(lines, document.contents?.range[0] ?? 0)
}

/** Where its key stands: a value may begin lines below. */
function startOf(document: Document.Parsed, steps: readonly (string | number)[]): number | undefined {
  const holder = steps.length === 1 ? document.contents : document.getIn(steps.slice(0, -1), true)
  if (!isCollection(holder)) return undefined
  const key = steps.at(-1)
  const pair = holder.items.find((item) => isTree(item) && isTree(item.key) && item.key.value === key)
  const node: unknown = isTree(pair) ? pair.key : holder.get(key, true)
  return isTree(node) && Array.isArray(node.range) ? Number(node.range[0]) : undefined
}

const lineAt = (lines: LineCounter, offset: number) => lines.linePos(offset).line

/** `spec.ports[0].name` and `metadata.labels[tars.io/Parent]`, as findings and the API server write paths. */
function stepsOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([whole, inside]) => {
    if (inside === undefined) return whole
    return /^\d+$/.test(inside) ? Number(inside) : inside
  })
}

function unreadable(file: string, line: number, why: string): Fault {
  return new Fault('FILE_UNREADABLE', `${file}:${line}: ${why}`)
}
