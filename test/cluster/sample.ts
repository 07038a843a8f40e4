import { readFileSync } from 'node:fs'
import { type Document, parseAllDocuments } from 'yaml'

/** The objects of a file as they stand, but for their namespace. */
export function objectsIn(path: string): string {
  const documents = parseAllDocuments(readFileSync(path, 'utf8'))
  return documents
    .map((document: Document) => {
      document.deleteIn(['metadata', 'namespace'])
      return JSON.stringify(document.toJS())
    })
    .join('\n---\n')
}
