import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../../faults.ts'
import type { Kind } from '../../kind.ts'
import type { Cause } from '../../kube/status.ts'
import { isTree, type JsonSchema, type Tree } from '../../schema.ts'
import { unknownFields } from '../../schema-check.ts'
import { invalid } from '../api-words/causes.ts'
import type { Built, Gvr } from '../port.ts'
import { withTypeMeta } from '../resource.ts'
import { metaCauses, metaUpdateCauses } from './meta-causes.ts'
import { metaOf, type ObjectMeta, readMeta } from './object-meta.ts'
import { isWorded, NOTHING, type StructuralCheck, structuralCheck } from './structural-check.ts'
import { defaulted, pruned, withoutNulls } from './structural-schema.ts'
import { type CelCheck, celCheck } from './twins.ts'

/** A kind whose schema the API server knows. */
export interface MemoryDefinition extends Gvr {
  readonly schema: JsonSchema
  /** The kind has a status subresource. */
  readonly status?: true
  /** The CEL rules of the kind, if any. */
  readonly identity?: Kind['identity']
}

/** An object on its way into the store. */
export type IncomingObject = Tree & { readonly metadata: ObjectMeta }

export interface Decoded {
  readonly object: IncomingObject
  readonly unknownFields: readonly string[]
  readonly malformed?: string
}

/** What the API server does to an object because of its kind: the steps of AP-17 without webhooks. */
export interface MemoryKind extends Gvr {
  decode(written: Tree): Decoded
  /** Adds defaults on every read, so that an object that was stored without them has them too. */
  recall(stored: Built): Built
  /** Runs after a mutating webhook. */
  complete(object: Tree): IncomingObject
  /** A write of the object itself does not change the status. */
  withStatus(next: IncomingObject, prev?: Tree): IncomingObject
  /** A write of the status changes nothing else. */
  withStatusAlone(next: IncomingObject, prev: Tree): IncomingObject
  /** `isWhole` adds the causes that an API server leaves out after certain others. */
  causes(next: IncomingObject, prev?: Tree, isWhole?: boolean): readonly Cause[]
  /** Runs just before the store: a validating webhook still sees the unknown fields of a mutating one. */
  prune(object: IncomingObject): Tree
}

/** An object without a definition is stored unchanged except for its metadata. */
export function memoryKind(of: Gvr, { schema, status, identity }: Partial<MemoryDefinition> = {}): MemoryKind {
  const known = schema && withTypeMeta(schema)
  const check: StructuralCheck = schema ? structuralCheck(schema) : () => NOTHING
  const checkInCel: CelCheck = identity || isWorded(schema) ? celCheck(identity) : () => []
  const by = (step: (value: unknown, schema: JsonSchema) => unknown) => (body: Tree) =>
    known ? treeOf(step(body, known)) : body
  const [filled, pared, cleared] = [by(defaulted), by(pruned), by(withoutNulls)]
  return {
    ...of,
    decode({ metadata, ...body }) {
      const meta = readMeta(metadata)
      return {
        ...meta,
        object: { ...filled(cleared(pared(body))), metadata: meta.metadata },
        unknownFields: [...meta.unknownFields, ...(known ? unknownFields(body, known) : [])],
      }
    },
    recall({ metadata, ...body }) {
      return { ...filled(body), metadata }
    },
    complete({ metadata, ...body }) {
      const meta = readMeta(metadata)
      if (meta.malformed !== undefined)
        throw new Fault('CLUSTER_REFUSED', `a webhook left metadata that cannot be read: ${meta.malformed}`)
      return { ...filled(body), metadata: meta.metadata }
    },
    withStatus(next, prev) {
      const { status: _, ...rest } = next
      if (status === undefined) return next
      return prev?.status === undefined ? rest : { ...rest, status: prev.status }
    },
    withStatusAlone({ status: written }, { status: _, metadata, ...body }) {
      return { ...body, metadata: metaOf(metadata), ...(written !== undefined && { status: written }) }
    },
    causes(next, prev, isWhole = false) {
      if (next.kind !== of.kind) return [invalid('kind', next.kind ?? '', `must be ${of.kind}`)]
      const update = prev ? metaUpdateCauses(next.metadata, metaOf(prev.metadata)) : []
      const { causes, worded } = check(next, prev)
      const found = [...metaCauses(of, next.metadata), ...update, ...causes]
      return [...found, ...checkInCel({ next, prev, found, worded, isWhole })]
    },
    prune({ metadata, ...body }) {
      return { ...pared(body), metadata }
    },
  }
}

/** The input was an object, so the result is one. */
const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})

/** Any change beside metadata counts as a new generation. */
export function sameBody({ metadata: _, ...one }: Tree, { metadata: __, ...other }: Tree): boolean {
  return isDeepStrictEqual(one, other)
}
