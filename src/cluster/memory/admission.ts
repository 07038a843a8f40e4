import fastJsonPatch, { type Operation as PatchOperation } from 'fast-json-patch'
import type { Operation } from '../../admission/change.ts'
import type { Door } from '../../admission/door.ts'
import type { Response } from '../../admission/response.ts'
import { API_VERSION, KIND } from '../../admission/review.ts'
import { Fault } from '../../faults.ts'
import type { Cause } from '../../kube/status.ts'
import type { Tree } from '../../schema.ts'
import { denied } from '../api-words/refusals.ts'
import type { FencedOptions } from '../fence.ts'
import type { Gvr, Preconditions } from '../port.ts'

/** The fence is ignored: no request is sent. */
export interface WriteOptions extends FencedOptions {
  readonly user?: string
  readonly groups?: readonly string[]
  readonly dryRun?: boolean
  /** How unknown fields are handled: refused, warned about (the API server's default), or ignored. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
  readonly fieldManager?: string
  readonly preconditions?: Preconditions // for a delete
  readonly propagationPolicy?: 'Orphan'
  readonly timeoutMs?: number // ignored: nothing takes so long here
  readonly metadataOnly?: boolean // ignored: nothing is sent over a wire
  readonly subresource?: 'status'
  readonly warn?: (warning: string) => void
  /** Given by apply alone. */
  readonly apply?: { readonly applied: Tree; readonly manager: string }
  /** Receives what the decoder and the schema refuse, so that webhooks still review the object; then nothing is stored. */
  readonly objections?: Objections
}
export interface Objections {
  readonly unknownFields: string[]
  readonly causes: Cause[]
}

export function isDry({ dryRun = false, objections }: WriteOptions): boolean {
  return dryRun || (objections !== undefined && objections.unknownFields.length + objections.causes.length > 0)
}

/** A webhook that was called for a request, with its response. */
export interface Admitted {
  readonly webhook: string
  readonly response: Response
}
/** Calls the webhooks that are registered for a review, as an API server does: each sees the result of those before it. */
export type Admit = (phase: Door['phase'], review: SentReview) => Promise<readonly Admitted[]>

/** Plain JSON: an absent object is null, an absent name or namespace is left out (AP-14). */
export interface SentReview {
  readonly kind: typeof KIND
  readonly apiVersion: typeof API_VERSION
  readonly request: {
    readonly uid: string
    readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
    readonly resource: { readonly group: string; readonly version: string; readonly resource: string }
    readonly requestKind: SentReview['request']['kind']
    readonly requestResource: SentReview['request']['resource']
    readonly name?: string
    readonly namespace?: string
    readonly operation: Operation
    readonly userInfo: { readonly username: string; readonly groups: readonly string[] }
    readonly object: Tree | null
    readonly oldObject: Tree | null
    readonly dryRun: boolean
    readonly options: Tree
  }
}

export interface Question {
  readonly of: Gvr
  readonly operation: Operation
  readonly name: string
  readonly namespace: string
  readonly object: Tree | null
  readonly oldObject: Tree | null
  readonly options: WriteOptions
}

export interface Admission {
  /** The object with the patch of the webhook. */
  mutate<T extends Tree | null>(question: Question & { readonly object: T }): Promise<T>
  validate(question: Question): Promise<void>
}

export function admission(admit: Admit, uid: () => string): Admission {
  async function ask(phase: Door['phase'], question: Question): Promise<readonly Response[]> {
    const admitted = await admit(phase, sent(question, uid()))
    for (const { webhook, response } of admitted) {
      for (const warning of response.warnings ?? []) question.options.warn?.(warning)
      if (!response.allowed) throw denied(webhook, response.status)
    }
    return admitted.map(({ response }) => response)
  }
  return {
    async mutate(question) {
      return (await ask('mutate', question)).reduce(patched, question.object)
    },
    async validate(question) {
      await ask('validate', question)
    },
  }
}

/** A DELETE has no object to patch (AP-7). */
export function patched<T>(object: T, { patch }: Response): T {
  if (patch === undefined) return object
  try {
    const operations: PatchOperation[] = JSON.parse(Buffer.from(patch, 'base64').toString())
    return fastJsonPatch.applyPatch(object, operations, true, false).newDocument
  } catch (cause) {
    throw new Fault('CLUSTER_REFUSED', 'Internal error occurred: the patch of a webhook does not apply', { cause })
  }
}

const ADMIN = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] }

/** Each webhook gets its own copy, as from the wire, which it may change. */
function sent({ of, name, namespace, options, ...rest }: Question, uid: string): SentReview {
  const { group, version } = of
  const kind = { group, version, kind: of.kind }
  const resource = { group, version, resource: of.plural }
  const { user = ADMIN.username, groups = ADMIN.groups } = options
  const dryRun = isDry(options)
  const request: SentReview['request'] = {
    uid,
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation: rest.operation,
    userInfo: { username: user, groups },
    object: rest.object,
    oldObject: rest.oldObject,
    dryRun,
    options: optionsOf(rest.operation, options),
  }
  return JSON.parse(JSON.stringify({ kind: KIND, apiVersion: API_VERSION, request }))
}

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const
function optionsOf(operation: Operation, { dryRun, fieldManager, fieldValidation }: WriteOptions): Tree {
  const writing = operation === 'DELETE' ? {} : { fieldManager, fieldValidation }
  return { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1', ...(dryRun && { dryRun: ['All'] }), ...writing }
}
