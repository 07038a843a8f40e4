import { Fault, type FaultCode } from '../faults.ts'
import { isTree, type Tree } from '../schema.ts'

/** AdmissionReview v1, decoded strictly (SV-2); its objects stay unknown until a kind decodes them. */
export interface Review {
  readonly uid: string
  readonly kind: {
    readonly group: string
    readonly version: string
    readonly kind: string
  }
  readonly resource: {
    readonly group: string
    readonly version: string
    readonly plural: string
  }
  readonly subresource: string | undefined
  readonly name: string
  readonly namespace: string
  readonly operation: (typeof OPERATIONS)[number]
  readonly username: string
  readonly dryRun: boolean
  readonly object: unknown
  readonly oldObject: unknown
}

export const API_VERSION = 'admission.k8s.io/v1'
export const KIND = 'AdmissionReview'
const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const
/** What the API server promises to send (AP-14). CONNECT sends options of its own, which are not read. */
const MUST_CARRY = {
  CREATE: ['object'],
  UPDATE: ['object', 'oldObject'],
  DELETE: ['oldObject'],
  CONNECT: [],
} as const
const MISSING = {
  object: 'OBJECT_MISSING',
  oldObject: 'OLD_OBJECT_MISSING',
} as const
const UID_LENGTH = 256

export function reviewOf(body: unknown): Review {
  const request = requestOf(body)
  const uid = uidOf(request)
  const operation = operationOf(request)
  for (const part of MUST_CARRY[operation]) {
    must(isTree(request[part]), MISSING[part], `request.${part} must be an object on ${operation}`)
  }
  return {
    uid,
    operation,
    kind: {
      ...groupVersion(request, 'kind'),
      kind: textAt(request, 'kind', 'kind'),
    },
    resource: {
      ...groupVersion(request, 'resource'),
      plural: textAt(request, 'resource', 'resource'),
    },
    subresource: optionalText(request, 'subResource') || undefined,
    name: optionalText(request, 'name') || nameIn(request.oldObject) || nameIn(request.object),
    namespace: optionalText(request, 'namespace'),
    username: textAt(request, 'userInfo', 'username'),
    dryRun: flagAt(request, 'dryRun'),
    object: request.object,
    oldObject: request.oldObject,
  }
}

function requestOf(body: unknown): Tree {
  must(isTree(body), 'REVIEW_KIND', 'the body is no AdmissionReview but another JSON value')
  must(body.kind === KIND, 'REVIEW_KIND', `kind must be ${KIND}`)
  must(body.apiVersion === API_VERSION, 'REVIEW_VERSION', `apiVersion must be ${API_VERSION}, the only one spoken here`)
  must(isTree(body.request), 'REQUEST_MISSING', 'request must be an object')
  return body.request
}

function uidOf({ uid }: Tree): string {
  must(typeof uid === 'string' && uid !== '', 'UID_MISSING', 'request.uid must be a text that is not empty')
  must(uid.length <= UID_LENGTH, 'UID_MISSING', `request.uid must not be longer than ${UID_LENGTH} characters`)
  return uid
}

function operationOf({ operation }: Tree): Review['operation'] {
  const known = OPERATIONS.find((each) => each === operation)
  must(known !== undefined, 'OPERATION_UNKNOWN', `request.operation must be one of ${OPERATIONS.join(', ')}`)
  return known
}

function groupVersion(request: Tree, field: 'kind' | 'resource') {
  return {
    group: textAt(request, field, 'group'),
    version: textAt(request, field, 'version'),
  }
}

function textAt(request: Tree, field: string, key: string): string {
  const holder = request[field]
  const value = isTree(holder) ? holder[key] : undefined
  must(typeof value === 'string', 'REQUEST_MALFORMED', `request.${field}.${key} must be a text`)
  return value
}

function optionalText(request: Tree, field: string): string {
  const value = request[field] ?? ''
  must(typeof value === 'string', 'REQUEST_MALFORMED', `request.${field} must be a text`)
  return value
}

/** An absent field is no dry run, as in the API server. */
function flagAt(request: Tree, field: string): boolean {
  const value = request[field] ?? false
  must(typeof value === 'boolean', 'REQUEST_MALFORMED', `request.${field} must be true or false`)
  return value
}

/** A delete of a collection has no request.name (AP-14), and a create with generateName has none yet. */
function nameIn(object: unknown): string {
  const metadata = isTree(object) ? object.metadata : undefined
  return isTree(metadata) && typeof metadata.name === 'string' ? metadata.name : ''
}

function must(holds: boolean, code: FaultCode, message: string): asserts holds {
  if (!holds) throw new Fault(code, message)
}
