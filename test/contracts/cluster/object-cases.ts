import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { isTree, type Tree } from '../../../src/schema.ts'
import { inOrder } from './outcome.ts'

const FOLDER = join(import.meta.dirname, '../objects')

/**
 * A file is a case: its first line says what is true. Of its documents the last is what comes of the one before it,
 * and those before that are there already. NAMESPACE stands for the namespace that they are in.
 */
export interface ObjectCase {
  readonly file: string
  readonly title: string
  readonly before: readonly Tree[]
  readonly object: Tree
  readonly outcome: Tree
}

export function objectCases(): readonly ObjectCase[] {
  return readdirSync(FOLDER).sort().map(caseIn)
}

function caseIn(file: string): ObjectCase {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  const title = /^# (.+)/.exec(text)?.[1]
  const documents: unknown[] = parseAllDocuments(text).map((document) => document.toJS())
  const outcome = documents.pop()
  const object = documents.pop()
  if (title === undefined || !isTree(outcome) || !isTree(object)) throw new Error(`${file} is no case`)
  return { file, title, before: documents.filter(isTree), object, outcome: withCausesInOrder(outcome) }
}

function withCausesInOrder(outcome: Tree): Tree {
  const { refused } = outcome
  if (!isTree(refused) || !Array.isArray(refused.causes)) return outcome
  return { refused: { ...refused, causes: inOrder(refused.causes) } }
}
