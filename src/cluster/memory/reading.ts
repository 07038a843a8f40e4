import fastJsonPatch, { type Operation as PatchOperation } from 'fast-json-patch'
import { isTree, type Tree } from '../../schema.ts'
import { badRequest, failedPatch, unreadablePatch } from '../api-words/refusals.ts'
import type { Refused } from '../port.ts'
import type { WriteOptions } from './admission.ts'
import type { IncomingObject, MemoryKind } from './memory-kind.ts'

/** The body of a request. */
export function read(kind: MemoryKind, body: Tree, options: WriteOptions): IncomingObject {
  const cannot = `${body.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}`
  return decoded(kind, body, options, (words) => badRequest(`${cannot}: ${words}`))
}

/** The result of a patch on a stored object. */
export function readPatched(kind: MemoryKind, patched: Tree, options: WriteOptions): IncomingObject {
  return decoded(kind, patched, options, (words) => unreadablePatch(patched, words))
}

export function jsonPatched(object: Tree, operations: readonly PatchOperation[]): Tree {
  try {
    const { newDocument } = fastJsonPatch.applyPatch<unknown>(object, operations, true, false)
    if (isTree(newDocument)) return newDocument
  } catch {} // the API server does not say which operation failed
  throw failedPatch()
}

function decoded(
  kind: MemoryKind,
  written: Tree,
  { fieldValidation = 'Warn', warn, objections }: WriteOptions,
  refusal: (words: string) => Refused,
): IncomingObject {
  mustBeOfVersion(kind, written)
  const { object, unknownFields, malformed } = kind.decode(written)
  if (malformed !== undefined) throw refusal(malformed)
  objections?.unknownFields.push(...unknownFields)
  const words = unknownFields.map((field) => `unknown field "${field}"`)
  if (words.length > 0 && fieldValidation === 'Strict' && objections === undefined)
    throw refusal(`strict decoding error: ${words.join(', ')}`)
  if (fieldValidation === 'Warn') for (const each of words) warn?.(each)
  return object
}

function mustBeOfVersion({ group, version }: MemoryKind, { apiVersion }: Tree): void {
  const expected = group === '' ? version : `${group}/${version}`
  if (apiVersion === expected) return
  throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`)
}
