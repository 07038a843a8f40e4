import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../../faults.ts'
import type { Kind } from '../../kind.ts'
import type { Cause } from '../../kube/status.ts'
import { isTree, type JsonSchema, type Tree, unknownFields } from '../../schema.ts'
import { invalid } from '../api-words/causes.ts'
import { type Built, type Gvr, withTypeMeta } from '../port.ts'
import { metaCauses, metaUpdateCauses } from './meta-causes.ts'
import { metaOf, type ObjectMeta, readMeta } from './object-meta.ts'
import { isWorded, NOTHING, type StructuralCheck, structuralCheck } from './structural-check.ts'
import { defaulted, pruned, withoutNulls } from './structural-schema.ts'
import { type CelCheck, celCheck } from './twins.ts'

/** A kind of which the API server knows the schema. */
export interface MemoryDefinition extends Gvr {
  readonly schema: JsonSchema
  /** Its status is written by itself. */
  readonly status?: true
  /** Its rules in CEL, where it has any. */
  readonly identity?: Kind['identity']
}

/** An object on its way into the store. */
export type IncomingObject = Tree & { readonly metadata: ObjectMeta }

export interface Decoded {
  readonly object: IncomingObject
  readonly unknownFields: readonly string[]
  readonly malformed?: string
}

/** What the API server does to an object by its kind alone: the steps of AP-17 that no webhook takes part in. */
export interface MemoryKind extends Gvr {
  decode(written: Tree): Decoded
  /** Defaults are added whenever an object is read: one that is stored without them has them all the same. */
  recall(stored: Built): Built
  /** After a mutating webhook. */
  complete(object: Tree): IncomingObject
  /** Whoever writes the object itself leaves its status alone. */
  withStatus(next: IncomingObject, prev?: Tree): IncomingObject
  /** A write of the status leaves all the rest alone. */
  withStatusAlone(next: IncomingObject, prev: Tree): IncomingObject
  /** `isWhole`: with what an API server leaves out behind some faults. */
  causes(next: IncomingObject, prev?: Tree, isWhole?: boolean): readonly Cause[]
  /** On the way into the store, and not before: a validating webhook sees what a mutating one made up. */
  prune(object: IncomingObject): Tree
}

/** One without a definition is kept as it is, but for its metadata. */
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

/** Of what went in as an object. */
const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})

/** What another one counts as a new generation: everything beside metadata. */
export function sameBody({ metadata: _, ...one }: Tree, { metadata: __, ...other }: Tree): boolean {
  return isDeepStrictEqual(one, other)
}
